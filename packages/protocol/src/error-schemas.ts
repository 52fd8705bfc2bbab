import { z } from 'zod';
import { errorFields, ERRORS, type ErrorFieldType, type ErrorName } from './errors.ts';

/** The schema of the envelope of the error `name`, with the `data` that {@link ERRORS} lists for it. */
export function errorSchemaOf(name: ErrorName): z.ZodObject {
  const { status, about } = ERRORS[name];
  const fields = Object.entries(errorFields(name)).map(([field, type]) => [
    field,
    fieldSchema(type),
  ]);
  const envelope = z.object({ status: z.literal(status), message: z.string() });
  const whole =
    fields.length === 0
      ? envelope
      : envelope.extend({ data: z.object(Object.fromEntries(fields)) });
  return whole.describe(`${about}.`);
}

function fieldSchema(type: ErrorFieldType): z.ZodType {
  switch (type) {
    case 'text':
      return z.string();
    case 'text?':
      return z.string().exactOptional();
    case 'number':
      return z.int().nonnegative();
    case 'number?':
      return z.int().nonnegative().exactOptional();
  }
}
