import { z } from 'zod';

/** Schemas that clients read in another way than the derived one, each with its replacement. */
export type Instead = ReadonlyMap<z.core.$ZodType, z.core.$ZodType>;

const NONE: Instead = new Map();

/**
 * The schema by which clients read what a schema describes. Later versions say more: fields that are unknown are ignored, and so
 * are entries of lists that cannot be understood. Only a page keeps all of its entries, because one that is not full is the last.
 */
export function lenient<Schema extends z.ZodType>(schema: Schema, instead: Instead = NONE): Schema {
  // Guarantee: what is accepted has the type that the schema itself returns, and an object or a union remains one.
  return derived(schema, instead) as z.ZodType as Schema;
}

/** Derives the schemas of several events. */
export function lenientAll<const Schemas extends readonly z.ZodObject[]>(
  schemas: Schemas,
  instead?: Instead,
): Schemas {
  // Guarantee: there is one for each.
  return schemas.map((schema) => lenient(schema, instead)) as readonly z.ZodObject[] as Schemas;
}

/** A list, without the entries that cannot be understood. */
export function listOf<Entry extends z.core.$ZodType>(entry: Entry) {
  return z.array(z.unknown()).transform((given) =>
    given.flatMap((each): z.infer<Entry>[] => {
      const { data, success } = z.safeParse(entry, each);
      return success ? [data] : [];
    }),
  );
}

function derived(schema: z.core.$ZodType, instead: Instead, isField = false): z.core.$ZodType {
  const other = instead.get(schema);
  if (other !== undefined) return other;

  if (schema instanceof z.ZodExactOptional) {
    return z.exactOptional(derived(schema.unwrap(), instead, isField));
  }
  if (schema instanceof z.ZodOptional) {
    return z.optional(derived(schema.unwrap(), instead, isField));
  }
  if (schema instanceof z.ZodArray) {
    const entry = derived(schema.element, instead);
    return isField ? listOf(entry) : z.array(entry);
  }
  if (!(schema instanceof z.ZodObject)) return schema;
  const fields = Object.entries<z.core.$ZodType>(schema.shape);
  return schema.extend(
    Object.fromEntries(fields.map(([name, field]) => [name, derived(field, instead, true)])),
  );
}
