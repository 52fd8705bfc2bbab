import type { ConflictError } from '@hearth/protocol';

/** A command that failed for a reason that the owner can fix. The message is one line. */
export class OwnerError extends Error {}

/** A command line that was not understood. The message is one line. */
export class UsageError extends Error {}

/** Returns the sentence about a conflict, as the end of a line. */
export function conflictText({ message }: ConflictError): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}

/** The result of `work`. An error of `kind` becomes an OwnerError with the text that `explain` returns. */
export async function blamingOwner<Result, Kind extends Error>(
  work: Promise<Result>,
  kind: new (...args: never[]) => Kind,
  explain: (error: Kind) => string,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof kind) throw new OwnerError(explain(error));
    throw error;
  }
}
