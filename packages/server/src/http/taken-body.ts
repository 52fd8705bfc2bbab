import { z, type ZodType } from 'zod';
import { isStreamed, type Route } from './route.ts';

/**
 * The body that a route takes. One that changes something (PATCH, PUT) refuses fields that its schema does not have, in
 * objects within it, too; one that makes something ignores them, as every documented request does (ME5).
 */
export function takenBody({ method, body }: Pick<Route, 'method' | 'body'>): Route['body'] {
  if (body === undefined || isStreamed(body)) return body;
  return method === 'PATCH' || method === 'PUT' ? withoutUnknown(body) : body;
}

/** Makes a schema refuse unknown fields. Records keep their free names. */
function withoutUnknown(schema: z.core.$ZodType): ZodType {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.def.shape).map(([name, field]) => [
      name,
      withoutUnknown(field),
    ]);
    return schema.clone({
      ...schema.def,
      shape: Object.fromEntries(fields),
      catchall: z.never(),
    });
  }
  if (schema instanceof z.ZodOptional) {
    return schema.clone({ ...schema.def, innerType: withoutUnknown(schema.def.innerType) });
  }
  if (schema instanceof z.ZodNullable) {
    return schema.clone({ ...schema.def, innerType: withoutUnknown(schema.def.innerType) });
  }
  if (schema instanceof z.ZodArray) {
    return schema.clone({ ...schema.def, element: withoutUnknown(schema.def.element) });
  }
  if (schema instanceof z.ZodType) return schema;
  throw new TypeError('the schema is not of the library that parses bodies');
}
