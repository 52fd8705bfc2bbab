import type { Id } from '@hearth/protocol';
import type { Writer } from '../../../ports/database/database.ts';
import { FIRST_ID } from './store.ts';

/** Numbers that are deleted at once. */
const NUMBERS_AT_ONCE = 1_000;

/** Deletes a part of an index, whose row is locked. Returns whether nothing is left: then it begins again. */
export async function deletePart(db: Writer, channelId: Id): Promise<boolean> {
  const word = await db
    .selectFrom('channel_words')
    .select('block')
    .where('channel_id', '=', channelId)
    .orderBy('block')
    .limit(1)
    .executeTakeFirst();
  if (word !== undefined) {
    await db
      .deleteFrom('channel_words')
      .where('channel_id', '=', channelId)
      .where('block', '=', word.block)
      .execute();
    return false;
  }
  const number = await db
    .selectFrom('channel_index_numbers')
    .select('number')
    .where('channel_id', '=', channelId)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
  if (number !== undefined) {
    await db
      .deleteFrom('channel_index_numbers')
      .where('channel_id', '=', channelId)
      .where('number', '<', Number(number.number) + NUMBERS_AT_ONCE)
      .execute();
    return false;
  }
  await db
    .updateTable('channel_index')
    .set({ last_number: 0, last_id: FIRST_ID, is_stale: 0 })
    .where('channel_id', '=', channelId)
    .execute();
  return true;
}
