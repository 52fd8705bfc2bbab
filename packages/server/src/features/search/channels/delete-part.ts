import type { Id } from '@hearth/protocol';
import type { Writer } from '../../../ports/database/database.ts';
import type { Indexing } from './indexing.ts';
import { EMPTY_INDEX, noteReplaced } from './store.ts';
import { deleteSomeWords, selectFirstBlock } from './words-store.ts';

/** Numbers that are deleted at once. */
const NUMBERS_AT_ONCE = 1_000;

/** The same for words. A small block has a few thousand. */
const WORDS_AT_ONCE = 2_000;

const ALL_BLOCKS = { from: -Number.MAX_SAFE_INTEGER, end: Number.MAX_SAFE_INTEGER };

/** Deletes a part of an index, whose row is locked. Returns whether nothing is left: then it begins again. */
export async function deletePart(db: Writer, channelId: Id): Promise<boolean> {
  const block = await selectFirstBlock(db, channelId, ALL_BLOCKS);
  if (block !== undefined) {
    await deleteSomeWords(db, { channelId, block }, WORDS_AT_ONCE);
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
    .set(EMPTY_INDEX)
    .where('channel_id', '=', channelId)
    .execute();
  return true;
}

/** Deletes a part of the small blocks that were merged, in a transaction that has locked the index. */
export async function deleteMerged(
  db: Writer,
  { channelId, index, sizes }: Omit<Indexing, 'split'>,
): Promise<void> {
  const end = (index.merged * sizes.large) / sizes.small;
  const block = await selectFirstBlock(db, channelId, { from: 0, end });
  if (block === undefined) await noteReplaced(db, channelId);
  else await deleteSomeWords(db, { channelId, block }, WORDS_AT_ONCE);
}
