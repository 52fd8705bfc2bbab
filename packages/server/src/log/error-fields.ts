/** Causes and errors within errors are told of so far: they may go round in circles. */
const DEEPEST = 8;

/**
 * What a log tells of an error, as JSON can hold it: its class, message and stack with those of its causes, and the
 * plain values and errors that it carries. Of anything else that was thrown, its text.
 */
export function errorFields(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return textOf(error);
  const causes = causesOf(error);
  const carried = error instanceof AggregateError ? { ...error, errors: error.errors } : error;
  const others = Object.entries(carried).flatMap(([name, value]) => {
    const told = name === 'cause' ? undefined : fieldValue(value, depth + 1);
    return told === undefined ? [] : [[name, told] as const];
  });
  return {
    type: error.constructor.name,
    message: causes.map(({ message }) => message).join(': '),
    stack: causes.map(({ stack }) => stack ?? '').join('\ncaused by: '),
    ...Object.fromEntries(others),
  };
}

function fieldValue(value: unknown, depth: number): unknown {
  if (value instanceof Error) return depth < DEEPEST ? errorFields(value, depth) : value.message;
  if (Array.isArray(value)) {
    return depth < DEEPEST ? value.map((one: unknown) => fieldValue(one, depth + 1)) : undefined;
  }
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'object' || typeof value === 'function' ? undefined : value;
}

/** Anything may be thrown, also what has no text. */
function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return typeof thrown;
  }
}

/** The error, its cause, and so on. */
function causesOf(error: Error): readonly Error[] {
  const causes: Error[] = [];
  let cause: unknown = error;
  while (cause instanceof Error && causes.length < DEEPEST) {
    causes.push(cause);
    cause = cause.cause;
  }
  return causes;
}
