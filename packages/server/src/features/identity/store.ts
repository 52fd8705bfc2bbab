import type { Database, Writer } from '../../ports/database/database.ts';

/** The settings that make up the instance's identity. */
export type IdentitySetting = 'instance_id' | 'id_mark';

/** The stored numbers. */
export async function readSettings(
  database: Database,
): Promise<Readonly<Partial<Record<IdentitySetting, number>>>> {
  const rows = await database.rows('select name, value from settings');
  return Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)]));
}

/** Stores a number in place of the one before. */
export async function writeSetting(
  db: Writer,
  name: IdentitySetting,
  value: number,
): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name, value: String(value) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: String(value) }))
    .execute();
}
