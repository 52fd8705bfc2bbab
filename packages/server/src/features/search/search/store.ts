import { compareIds, type Id } from '@hearth/protocol';
import { sql } from 'kysely';
import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';
import type { Swept } from '../../../ports/database/delete-after.ts';
import { evenly, placesAfter, readRows } from '../../../ports/database/read-rows.ts';
import { NO_ID } from '../../../ports/database/stored-id.ts';
import type { IndexedKind } from '../../talk/index-queue/index-queue.ts';
import type { SearchStateTable } from './tables.ts';

/** The state of the index. */
export interface SearchState {
  /** The number of the newest index. */
  readonly newest: number;
  /** The number of the index that is searched: the last one that was completed, or else the newest. */
  readonly searched: number;
  /** True if the newest index is complete. */
  readonly isComplete: boolean;
  /** The last message of the lobby that was indexed, or a later id. */
  readonly lastId: Id;
}

/** Entries whose words are stored together: those with ids from `firstId` on, up to where the next block begins. */
export interface Block {
  readonly block: number;
  /** Empty for the block with the first entries of all. */
  readonly firstId: Id;
  readonly positions: number;
}

/** A block with words that it should not have. */
export interface OutdatedBlock {
  readonly block: number;
  readonly outdated: number;
  readonly positions: number;
}

/** An entry at its place in the index. */
export interface Located {
  readonly block: number;
  readonly position: number;
  readonly id: Id;
  readonly kind: IndexedKind;
}

const STATE = 'search';

export async function selectState(db: Reader): Promise<SearchState | undefined> {
  return stateOf(await stateIn(db).executeTakeFirst());
}

/** Locks the state until the transaction ends; undefined if another process works on the index, or if there is none. */
export async function lockState(db: Writer): Promise<SearchState | undefined> {
  return stateOf(await stateIn(db).forUpdate().skipLocked().executeTakeFirst());
}

/** Waits until the step of the indexer that is under way has ended. */
export async function awaitStep(db: Writer): Promise<void> {
  await stateIn(db).forUpdate().execute();
}

function stateIn(db: Reader) {
  return db.selectFrom('search_state').selectAll().where('name', '=', STATE);
}

function stateOf(row: SearchStateTable | undefined): SearchState | undefined {
  if (row === undefined) return undefined;
  const { index_number: newest, complete_number: complete, last_id: lastId } = row;
  return { newest, searched: complete || newest, isComplete: complete === newest, lastId };
}

/** Adds the state, unless there is one. */
export async function insertState(db: Writer, lastId: Id): Promise<void> {
  await db
    .insertInto('search_state')
    .values({ name: STATE, index_number: 1, complete_number: 0, last_id: lastId, last_block: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

export async function updateLastId(db: Writer, lastId: Id): Promise<void> {
  await db.updateTable('search_state').set({ last_id: lastId }).execute();
}

/** Begins another index, which is used once it is complete. */
export async function beginIndex(db: Writer): Promise<void> {
  await db
    .updateTable('search_state')
    .set({ index_number: sql<number>`index_number + 1` })
    .execute();
}

/** Notes that the newest index is complete. */
export async function noteComplete(db: Writer): Promise<void> {
  await db
    .updateTable('search_state')
    .set((own) => ({ complete_number: own.ref('index_number') }))
    .execute();
}

function blocksOf(db: Reader, index: number) {
  return db
    .selectFrom('search_blocks')
    .select(['block', 'first_id as firstId', 'positions'])
    .where('index_number', '=', index);
}

/** All blocks of an index. */
export async function selectBlocks(db: Reader, index: number): Promise<readonly Block[]> {
  return await blocksOf(db, index).execute();
}

/** The first block of an index. */
export async function selectFirstBlock(db: Reader, index: number): Promise<Block | undefined> {
  return await blocksOf(db, index).orderBy('first_id').orderBy('block').limit(1).executeTakeFirst();
}

const BLOCKS_BEFORE = `select block, first_id as "firstId", positions from search_blocks where index_number = $1
  and first_id < $2 and first_id >= (select min(first_id) from (
    select first_id from search_blocks where index_number = $1 and first_id < $2 order by first_id desc limit $3
  ) as newest) order by first_id desc, block desc`;

/** About so many blocks that begin before an id, the newest first: all that begin with the same id are returned together. */
export async function selectBlocksBefore(
  db: Reader,
  index: number,
  { before, count }: { readonly before: Id; readonly count: number },
): Promise<readonly Block[]> {
  return await readRows<Block>(db, { text: BLOCKS_BEFORE, values: [index, before, count] });
}

/** The blocks that have the entries from an id on up to the next block, the newest one first. */
export async function selectBlocksWith(
  db: Reader,
  index: number,
  id: Id,
): Promise<{ readonly blocks: readonly Block[]; readonly isLast: boolean }> {
  const [first] = await blocksOf(db, index)
    .where('first_id', '<=', id)
    .orderBy('first_id', 'desc')
    .limit(1)
    .execute();
  if (first === undefined) return { blocks: [], isLast: true };
  const blocks = await blocksOf(db, index)
    .where('first_id', '=', first.firstId)
    .orderBy('block', 'desc')
    .execute();
  const next = await selectNextId(db, index, first.firstId);
  return { blocks, isLast: next === undefined };
}

/** The id with which the block after another one begins. */
export async function selectNextId(
  db: Reader,
  index: number,
  firstId: Id,
): Promise<Id | undefined> {
  const next = await blocksOf(db, index)
    .where('first_id', '>', firstId)
    .orderBy('first_id')
    .limit(1)
    .executeTakeFirst();
  return next?.firstId;
}

/** Adds an empty block, in a transaction that has locked the state. */
export async function insertBlock(db: Writer, index: number, firstId: Id): Promise<Block> {
  const { last_block: block } = await db
    .updateTable('search_state')
    .set({ last_block: sql<number>`last_block + 1` })
    .returning('last_block')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('search_blocks')
    .values({
      block,
      index_number: index,
      first_id: firstId,
      positions: 0,
      outdated: 0,
      has_lobby: 0,
    })
    .execute();
  return { block, firstId, positions: 0 };
}

export async function updateFirstId(db: Writer, block: number, firstId: Id): Promise<void> {
  await db
    .updateTable('search_blocks')
    .set({ first_id: firstId })
    .where('block', '=', block)
    .execute();
}

/** Adds entries to a block at its next positions. */
export async function insertEntries(
  tx: Transaction,
  { block, positions }: Block,
  entries: readonly Pick<Located, 'id' | 'kind'>[],
): Promise<void> {
  if (entries.length === 0) return;
  await tx.runMany({
    text: `insert into search_entries (block, position, entry_id, kind, outdated)
      select block, position, entry_id, kind, 0 from given`,
    columns: { block: 'bigint', position: 'bigint', entry_id: 'text', kind: 'text' },
    rows: entries.map(({ id, kind }, at) => [block, positions + at, id, kind]),
  });
  const hasLobby = entries.some(({ kind }) => kind === 'lobby');
  await tx.sql
    .updateTable('search_blocks')
    .set({ positions: positions + entries.length, ...(hasLobby && { has_lobby: 1 }) })
    .where('block', '=', block)
    .execute();
}

function entriesIn(db: Reader, blocks: readonly number[]) {
  return db
    .selectFrom('search_entries')
    .select(['block', 'position', 'entry_id as id', 'kind'])
    .where('block', 'in', evenly(blocks));
}

/** The entries of blocks with these ids, in no order. */
export async function selectEntriesById(
  db: Reader,
  blocks: readonly number[],
  ids: readonly Id[],
): Promise<readonly Located[]> {
  return await entriesIn(db, blocks).where('entry_id', 'in', evenly(ids)).execute();
}

const ENTRIES_AT = `select block, position, entry_id as id, kind from search_entries where block = $1 and position in`;

/** The entries at some positions of a block, in no order. */
export async function selectEntriesAt(
  db: Reader,
  block: number,
  positions: readonly number[],
): Promise<readonly Located[]> {
  const some = evenly(positions);
  const text = `${ENTRIES_AT} (${placesAfter(1, some.length)})`;
  return await readRows<Located>(db, { text, values: [block, ...some] });
}

/** The entries of blocks in a range of ids, the newest first. */
export async function selectEntriesBefore(
  db: Reader,
  blocks: readonly number[],
  { before, limit }: { readonly before: Id | undefined; readonly limit: number },
): Promise<readonly Located[]> {
  const all = entriesIn(db, blocks).orderBy('entry_id', 'desc').limit(limit);
  return await (before === undefined ? all : all.where('entry_id', '<', before)).execute();
}

/** The entries of a block, with how often each was changed since its words were last corrected. */
export async function selectOutdated(
  db: Reader,
  block: number,
): Promise<readonly (Located & { readonly outdated: number })[]> {
  return await entriesIn(db, [block]).select('outdated').execute();
}

/** The number of changes of entries at some positions of a block since its words were last corrected. */
export async function selectOutdatedAt(
  db: Reader,
  block: number,
  positions: readonly number[],
): Promise<readonly { readonly position: number; readonly outdated: number }[]> {
  if (positions.length === 0) return [];
  return await entriesIn(db, [block])
    .select('outdated')
    .where('position', 'in', evenly(positions))
    .execute();
}

/** The id of the newest entry of some blocks. */
export async function selectLastEntryId(
  db: Reader,
  blocks: readonly number[],
): Promise<Id | undefined> {
  let newest: Id | undefined;
  for (const block of blocks) {
    // One by one, because the index on entries is in the order of the ids of each block.
    const [last] = await selectEntriesBefore(db, [block], { before: undefined, limit: 1 });
    if (last !== undefined && compareIds(last.id, newest ?? NO_ID) > 0) newest = last.id;
  }
  return newest;
}

/** Notes that entries have words in a block that they should not have, because they were changed. */
export async function noteOutdated(
  db: Writer,
  block: number,
  positions: readonly number[],
): Promise<void> {
  if (positions.length === 0) return;
  const outdated = sql<number>`outdated + 1`;
  await db
    .updateTable('search_entries')
    .set({ outdated })
    .where('block', '=', block)
    .where('position', 'in', evenly(positions))
    .execute();
  await noteBlockOutdated(db, block);
}

/** Removes entries from a block. Their words are removed later. */
export async function deleteEntries(
  db: Writer,
  block: number,
  positions: readonly number[],
): Promise<void> {
  if (positions.length === 0) return;
  await db
    .deleteFrom('search_entries')
    .where('block', '=', block)
    .where('position', 'in', evenly(positions))
    .execute();
  await noteBlockOutdated(db, block);
}

/** Notes that a block has words that it should not have. */
export async function noteBlockOutdated(db: Writer, block: number): Promise<void> {
  await db
    .updateTable('search_blocks')
    .set({ outdated: sql<number>`outdated + 1` })
    .where('block', '=', block)
    .execute();
}

/** Notes that the words of a block, and of entries of it, are right, unless they have changed meanwhile. */
export async function noteCorrected(
  db: Writer,
  { block, outdated }: { readonly block: number; readonly outdated: number },
  entries: readonly { readonly position: number; readonly outdated: number }[],
): Promise<void> {
  for (const entry of entries) {
    await db
      .updateTable('search_entries')
      .set({ outdated: 0 })
      .where('block', '=', block)
      .where('position', '=', entry.position)
      .where('outdated', '=', entry.outdated)
      .execute();
  }
  await db
    .updateTable('search_blocks')
    .set({ outdated: 0 })
    .where('block', '=', block)
    .where('outdated', '=', outdated)
    .execute();
}

/** Blocks with words that they should not have. */
export async function selectOutdatedBlocks(db: Reader): Promise<readonly OutdatedBlock[]> {
  return await db
    .selectFrom('search_blocks')
    .select(['block', 'outdated', 'positions'])
    .where('outdated', '>', 0)
    .execute();
}

/** A block of an index before the one that is searched, which no search reads any more. */
export async function selectFormerBlock(db: Reader, searched: number): Promise<number | undefined> {
  const former = await db
    .selectFrom('search_blocks')
    .select('block')
    .where('index_number', '<', searched)
    .limit(1)
    .executeTakeFirst();
  return former?.block;
}

/** The words and entries of a block, as they are deleted. */
export function sweptParts(block: number): readonly Swept[] {
  const where = { block };
  return [
    { table: 'search_words', where, order: ['word'] },
    { table: 'search_entries', where, order: ['position'] },
  ];
}

/** Forgets a block that has nothing any more. */
export async function deleteBlock(db: Writer, block: number): Promise<void> {
  await db.deleteFrom('search_blocks').where('block', '=', block).execute();
}

/** Blocks after one of them, of all indexes. */
export async function selectBlocksAfter(
  db: Reader,
  { block, limit }: { readonly block: number; readonly limit: number },
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('search_blocks')
    .select('block')
    .where('block', '>', block)
    .orderBy('block')
    .limit(limit)
    .execute();
  return rows.map((row) => row.block);
}
