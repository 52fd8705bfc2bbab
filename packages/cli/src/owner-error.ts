/** What the owner gave cannot be done, in one line. */
export class OwnerError extends Error {}

/** What was typed does not make sense, in one line: the exit code of a command line that was not understood. */
export class UsageError extends Error {}

/** The result of `work`, whose errors of `kind` become an OwnerError with the text of `explain`. */
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
