import { sql, type Expression, type RawBuilder } from 'kysely';

/** In a statement about a table with a column `id`: the value of each row by its id, and `otherwise` for the rest. */
export function byId<Value extends string | number>(
  otherwise: Expression<Value>,
  values: ReadonlyMap<string, Value>,
): RawBuilder<Value> {
  const cases = Array.from(values, ([id, value]) => sql`when ${id} then ${value}`);
  return sql<Value>`case id ${sql.join(cases, sql` `)} else ${otherwise} end`;
}
