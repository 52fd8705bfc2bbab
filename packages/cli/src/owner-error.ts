/** A command that failed for a reason that the owner can fix. The message is one line. */
export class OwnerError extends Error {}

/** A command line that was not understood. The message is one line. */
export class UsageError extends Error {}

/** The result of `work`. An error of `kind` becomes an OwnerError with the text that `explain` returns. */
export async function blamingOwner<Result>(
  work: Promise<Result>,
  kind: new (...args: never[]) => Error,
  explain: (error: Error) => string,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof kind) throw new OwnerError(explain(error));
    throw error;
  }
}
