import type { Id } from '@hearth/protocol';
import { sweptChanges } from '../../../talk/index-queue/index-queue.ts';
import type { Writer } from '../../../../ports/database/database.ts';
import { deleteAfter, type RowPlace } from '../../../../ports/database/delete-after.ts';
import type { Indexing } from './index-next.ts';
import { sweptNumbers } from './numbers-store.ts';
import { noteEmpty, noteReplaced } from './store.ts';
import { sweptWords } from './words-store.ts';

/** Numbers, or changes, that are deleted at once. */
const NUMBERS_AT_ONCE = 1_000;

/** The same for words. A small block has a few thousand. */
const WORDS_AT_ONCE = 2_000;

/** Up to where something of an index is deleted. */
export interface Deleted {
  /** Of the index. Once it has another one, the deletion begins again. */
  readonly version: number;
  readonly words?: RowPlace | undefined;
  readonly numbers?: RowPlace | undefined;
  readonly changes?: RowPlace | undefined;
}

/** Deletes a part of an index, whose row is locked. Returns up to where, or undefined if nothing is left: then it begins again. */
export async function deletePart(
  db: Writer,
  channelId: Id,
  deleted: Deleted,
): Promise<Deleted | undefined> {
  const { words: afterWord, numbers: afterNumber } = deleted;
  const words = await deleteAfter(db, sweptWords(channelId), {
    after: afterWord,
    limit: WORDS_AT_ONCE,
  });
  if (words !== undefined) return { ...deleted, words };
  const numbers = await deleteAfter(db, sweptNumbers(channelId), {
    after: afterNumber,
    limit: NUMBERS_AT_ONCE,
  });
  if (numbers !== undefined) return { ...deleted, numbers };
  await noteEmpty(db, channelId);
  return undefined;
}

/** Deletes a part of the small blocks that were merged, in a transaction that has locked the index. Returns up to where. */
export async function deleteMerged(
  db: Writer,
  { channelId, index, sizes }: Omit<Indexing, 'split'>,
  deleted: Deleted,
): Promise<Deleted> {
  const smallInLarge = sizes.large / sizes.small;
  // No word is empty.
  const { words: after = [index.replaced * smallInLarge, ''] } = deleted;
  const merged = sweptWords(channelId, index.merged * smallInLarge);
  const words = await deleteAfter(db, merged, { after, limit: WORDS_AT_ONCE });
  if (words === undefined) await noteReplaced(db, channelId);
  return { ...deleted, words };
}

/** Forgets some changes of a deleted channel. Returns up to where, or undefined if nothing is left. */
export async function deleteChanges(
  db: Writer,
  channelId: Id,
  deleted: Deleted,
): Promise<Deleted | undefined> {
  const changes = await deleteAfter(db, sweptChanges(channelId), {
    after: deleted.changes,
    limit: NUMBERS_AT_ONCE,
  });
  return changes && { ...deleted, changes };
}
