/** The depth to which causes and errors within errors are logged: they may refer to each other in circles. */
const DEEPEST = 8;

/**
 * Returns what a log reports about an error, in JSON: its class, message and stack with those of its causes, and the
 * plain values and errors that it carries. For anything else that was thrown, its text.
 */
export function errorFields(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return textOf(error);
  const causes = causesOf(error);
  const carried = error instanceof AggregateError ? { ...error, errors: error.errors } : error;
  const others = Object.entries(carried).flatMap(([name, value]) => {
    const logged = name === 'cause' ? undefined : fieldValue(value, depth + 1);
    return logged === undefined ? [] : [[name, logged] as const];
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

/** Anything may be thrown, even a value that has no text. */
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
