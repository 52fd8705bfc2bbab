const NAME = 'StartError';

/** Why an instance could not start, in one line for its owner. */
export class StartError extends Error {
  override readonly name = NAME;

  /** Returns whether `error` is one, from any bundle: what is loaded later has its own copy of the class. */
  static is(error: unknown): error is StartError {
    return error instanceof Error && error.name === NAME;
  }
}
