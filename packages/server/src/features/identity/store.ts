import type { Reader, Writer } from '../../ports/database/database.ts';

/** The settings that make up the instance's identity. */
export type IdentitySetting = 'instance_id' | 'id_mark';

/** The stored number, or undefined when there is none yet. */
export async function readSetting(db: Reader, name: IdentitySetting): Promise<number | undefined> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row === undefined ? undefined : Number(row.value);
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
