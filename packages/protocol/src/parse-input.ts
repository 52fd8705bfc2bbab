import type { ZodType } from 'zod';
import { ValidationError } from './errors.ts';

/** `value` as `schema` parses it. Throws ValidationError for the first field that does not fit, or for `body`. */
export function parseInput<Output>(schema: ZodType<Output>, value: object): Output {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ValidationError(String(issue?.path[0] ?? 'body'), issue?.message ?? 'is invalid');
}
