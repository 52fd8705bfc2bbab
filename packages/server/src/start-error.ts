const NAME = 'StartError';

/** Why an instance could not start, in one line for its owner. */
export class StartError extends Error {
  override readonly name = NAME;

  /** Whether `error` is one, of whichever bundle: what is loaded later has a class of its own. */
  static is(error: unknown): error is StartError {
    return error instanceof Error && error.name === NAME;
  }
}
