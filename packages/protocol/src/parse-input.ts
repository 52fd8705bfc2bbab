import type { ZodError, ZodType } from 'zod';
import { ValidationError } from './errors.ts';

/**
 * `value` as `schema` parses it. Throws ValidationError for a field that does not belong there, for the first one that does
 * not fit, or for `body`.
 */
export function parseInput<Output>(schema: ZodType<Output>, value: object): Output {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw unknownField(parsed.error) ?? unfit(parsed.error);
}

/** Comes first, because a field with a wrong name is often the one that is missing. */
function unknownField({ issues }: ZodError): ValidationError | undefined {
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const [name = ''] = issue.keys;
    const [outer] = issue.path;
    return outer === undefined
      ? new ValidationError(name, 'is not a field that can be changed here')
      : new ValidationError(String(outer), `must not have the field ${name}`);
  }
  return undefined;
}

function unfit({ issues: [issue] }: ZodError): ValidationError {
  return new ValidationError(String(issue?.path[0] ?? 'body'), issue?.message ?? 'is invalid');
}
