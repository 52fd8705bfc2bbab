import type { Reader, Writer } from '../../ports/database/database.ts';

/** The setting with the key that places are encrypted with. */
const PLACE_KEY = 'hidden_place_key';

/** The key that places are encrypted with, if there is one. */
export async function selectPlaceKey(db: Reader): Promise<string | undefined> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', PLACE_KEY)
    .executeTakeFirst();
  return row?.value;
}

/** Stores a key to encrypt places with, unless there is one. */
export async function insertPlaceKey(db: Writer, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name: PLACE_KEY, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}
