/**
 * Returns what `next` makes of a value: at once if the value is there, because a promise costs as much as a small
 * answer.
 */
export function andThen<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Returns what `work` returns, or what `onFailure` makes of the error with which it throws or rejects. */
export function attempt<Result>(
  work: () => Result | Promise<Result>,
  onFailure: (error: unknown) => Result | Promise<Result>,
): Result | Promise<Result> {
  try {
    const done = work();
    return done instanceof Promise ? done.catch(onFailure) : done;
  } catch (error) {
    return onFailure(error);
  }
}
