import type { Id } from '@hearth/protocol';
import { latestMoment } from '../../../lib/stored-moment.ts';
import type { Reader, Statement, Transaction, Writer } from '../../../ports/database/database.ts';
import type { Swept } from '../../../ports/database/delete-after.ts';
import { evenly } from '../../../ports/database/read-rows.ts';
import { storedId } from '../../../ports/database/stored-id.ts';
import type { Block } from './blocks.ts';
import { hitStatements, LAST_CHARACTER, type Storing } from './hit-statements.ts';
import type { Hits, IndexRows, SizedBlocks } from './numbers-with.ts';

export const LOBBY_INDEX = 'lobby';

/** An index, and how far it reaches. */
export interface Index {
  /** The number under which its words are stored. */
  readonly place: number;
  readonly indexedNumber: number;
  readonly indexedId: Id;
}

/** Some blocks of one size in an index. */
interface SomeBlocks extends SizedBlocks {
  readonly place: number;
}

/** Who adds to an index. */
export interface Lease {
  readonly by: string;
  readonly nowMs: number;
  readonly untilMs: number;
}

const FIRST_ID = storedId('0');

/** An index by the name of what it is about. Undefined if there is none. */
export async function selectIndex(db: Reader, name: string): Promise<Index | undefined> {
  return await db
    .selectFrom('search_places')
    .select(['place', 'indexed_number as indexedNumber', 'indexed_id as indexedId'])
    .where('name', '=', name)
    .executeTakeFirst();
}

/** Begins an empty index. If there is one of that name already, that one remains to be deleted. */
export async function beginIndex(db: Writer, name: string): Promise<void> {
  const all = await db.selectFrom('search_places').selectAll().forUpdate().execute();
  const old = all.find((row) => row.name === name);
  const place = Math.max(0, ...all.map((row) => row.place)) + 1;
  const fresh = { place, indexed_number: 0, indexed_id: FIRST_ID };
  if (old === undefined) {
    await db
      .insertInto('search_places')
      .values({ name, ...fresh, leased_by: '', leased_until_ms: 0 })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return;
  }
  await db
    .insertInto('search_places')
    .values({ ...old, name: `${name}:${old.place}`, leased_by: '', leased_until_ms: 0 })
    .execute();
  await db.updateTable('search_places').set(fresh).where('name', '=', name).execute();
}

/** Takes the right to add to an index. Returns whether no other process has it. */
export async function takeLease(
  tx: Transaction,
  name: string,
  { by, nowMs, untilMs }: Lease,
): Promise<boolean> {
  const text = `update search_places set leased_by = $1, leased_until_ms = $2
    where name = $3 and (leased_by = $4 or leased_until_ms < $5 or leased_until_ms > $6)`;
  return (
    (await tx.run({ text, values: [by, untilMs, name, by, nowMs, latestMoment(untilMs)] })) > 0
  );
}

/** Statements that store words of a block with their hits. Harmless if repeated. */
export function wordStatements(
  {
    place,
    block,
    storing = 'replace',
  }: { readonly place: number; readonly block: Block; readonly storing?: Storing },
  words: readonly (readonly [word: string, hits: string])[],
): readonly Statement[] {
  const key = ['place', 'size', 'block', 'word'];
  const rows = words.map((hits) => [place, block.size, block.index, ...hits]);
  return hitStatements({ table: 'search_words', key, storing }, rows);
}

/** Notes up to where an index reaches, unless another process has noted something else. */
export async function advanceIndex(
  tx: Transaction,
  known: Index,
  { indexedNumber, indexedId }: Pick<Index, 'indexedNumber' | 'indexedId'>,
): Promise<void> {
  const text = `update search_places set indexed_number = $1, indexed_id = $2
    where place = $3 and indexed_number = $4`;
  const values = [indexedNumber, indexedId, known.place, known.indexedNumber];
  await tx.run({ text, values });
}

export function rowsOf(db: Reader, place: number): IndexRows {
  return {
    ofWords: (blocks, words) =>
      hitsWhere(db, { ...blocks, place }, (query) => query.where('word', 'in', words)),
    ofBeginning: (blocks, beginning) =>
      hitsWhere(db, { ...blocks, place }, (query) =>
        query.where('word', '>=', beginning).where('word', '<=', `${beginning}${LAST_CHARACTER}`),
      ),
  };
}

/** The first block of a size that has words in an index. */
export async function selectFirstBlock(
  db: Reader,
  { place, size }: { readonly place: number; readonly size: number },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('search_words')
    .select('block')
    .where('place', '=', place)
    .where('size', '=', size)
    .orderBy('block')
    .limit(1)
    .executeTakeFirst();
  return row?.block;
}

/** The words of an index in blocks of a size, before one of them, in the order in which they are deleted. */
export function sweptWords(
  { place, size }: { readonly place: number; readonly size: number },
  before: number,
): Swept {
  return { table: 'search_words', where: { place, size }, order: ['block', 'word'], before };
}

/** Indexes of this name that were replaced and have to be deleted. */
export async function selectReplaced(db: Reader, name: string): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('search_places')
    .select('place')
    .where('name', '>', `${name}:`)
    .where('name', '<', `${name}:${LAST_CHARACTER}`)
    .execute();
  return rows.map(({ place }) => place);
}

/** Forgets an index that has no words. */
export async function deleteIndex(db: Writer, place: number): Promise<void> {
  await db.deleteFrom('search_places').where('place', '=', place).execute();
}

function hitsIn(db: Reader, { place, size, blocks }: SomeBlocks) {
  return db
    .selectFrom('search_words')
    .select(['block', 'hits'])
    .where('place', '=', place)
    .where('size', '=', size)
    .where('block', 'in', evenly(blocks));
}

async function hitsWhere(
  db: Reader,
  blocks: SomeBlocks,
  narrow: (query: ReturnType<typeof hitsIn>) => ReturnType<typeof hitsIn>,
): Promise<readonly Hits[]> {
  return await narrow(hitsIn(db, blocks)).execute();
}
