import { z } from 'zod';

/** Schemas by their names without `Schema`. */
export type NamedSchemas = Readonly<Record<string, z.ZodType>>;

/** Returns the schemas among what a module exports, in the order of their names. */
export function namedSchemas(exported: Readonly<Record<string, unknown>>): NamedSchemas {
  const names = Object.keys(exported).toSorted();
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = exported[name];
      return value instanceof z.ZodType ? [[name.replace(/Schema$/, ''), value] as const] : [];
    }),
  );
}
