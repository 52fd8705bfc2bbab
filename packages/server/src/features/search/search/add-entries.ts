import { compareIds, type Id } from '@hearth/protocol';
import type { Reader, Transaction } from '../../../ports/database/database.ts';
import { selectHomes } from '../../communities/structure/structure.ts';
import type { Noted } from '../../talk/index-queue/index-queue.ts';
import { hitOf, type BlockSizes } from './blocks.ts';
import type { Entry } from './entries.ts';
import { indexedWords, type PlacedWords } from './index-words.ts';
import {
  deleteEntries,
  insertBlock,
  insertEntries,
  noteOutdated,
  selectBlocksWith,
  selectEntriesById,
  selectLastEntryId,
  type Block,
} from './store.ts';
import { storeWords } from './words-store.ts';

/** Entries with the words by which the index finds them. */
export type Words = ReadonlyMap<Id, PlacedWords>;

/** The words of entries by their ids. `wordsIn` returns those of a text. */
export async function wordsOf(
  db: Reader,
  entries: readonly Entry[],
  wordsIn: (text: string) => readonly string[] | Promise<readonly string[]>,
): Promise<Words> {
  const placeIds = [...new Set(entries.map(({ placeId }) => placeId))];
  const homes = placeIds.length === 0 ? new Map<Id, Id>() : await selectHomes(db, placeIds);
  const words = new Map<Id, PlacedWords>();
  for (const entry of entries) {
    const inText = await wordsIn(entry.text);
    words.set(entry.id, indexedWords(entry, homes.get(entry.placeId), inText));
  }
  return words;
}

/** Entries that are added to an index, or are in it by other words than before. One without words was deleted. */
interface Adding {
  readonly index: number;
  readonly sizes: BlockSizes;
  readonly noted: readonly Noted[];
  readonly words: Words;
}

/** Adds entries to an index, each to the block that has its id. What comes before the first block is left out. */
export async function addEntries(tx: Transaction, { noted, ...adding }: Adding): Promise<void> {
  const { index } = adding;
  let left = noted.toSorted((one, other) => compareIds(one.id, other.id));
  while (left.length > 0) {
    const [first] = left.slice(-1);
    if (first === undefined) return;
    const { blocks, isLast } = await selectBlocksWith(tx.sql, index, first.id);
    const [block] = blocks;
    if (block === undefined) return;
    const begin = left.findIndex(({ id }) => compareIds(id, block.firstId) >= 0);
    await addToBlocks(tx, { ...adding, noted: left.slice(begin) }, { blocks, block, isLast });
    left = left.slice(0, begin);
  }
}

/** Adds entries to blocks that begin with the same id, the last of which is `block`. */
async function addToBlocks(
  tx: Transaction,
  { index, sizes, noted, words }: Adding,
  { blocks, block, isLast }: { blocks: readonly Block[]; block: Block; isLast: boolean },
): Promise<void> {
  const numbers = blocks.map((each) => each.block);
  const ids = noted.map(({ id }) => id);
  const known = await selectEntriesById(tx.sql, numbers, ids);
  for (const [number, some] of Map.groupBy(known, (each) => each.block)) {
    const changed = some.flatMap(({ id, position }) => {
      const own = words.get(id);
      return own === undefined ? [] : [{ position, words: own }];
    });
    const deleted = some.filter(({ id }) => !words.has(id));
    await noteOutdated(tx.sql, number, changed.map(positionOf));
    await deleteEntries(tx.sql, number, deleted.map(positionOf));
    await addWords(tx, number, changed);
  }
  const knownIds = new Set(known.map(({ id }) => id));
  const added = noted.filter(({ id }) => words.has(id) && !knownIds.has(id));
  const [first] = added;
  if (first === undefined) return;
  const last = isLast ? await selectLastEntryId(tx.sql, numbers) : undefined;
  const isAfter = last !== undefined && compareIds(first.id, last) > 0;
  const next =
    isAfter && block.positions >= sizes.full
      ? await insertBlock(tx.sql, index, first.id)
      : block.positions + added.length > sizes.most
        ? await insertBlock(tx.sql, index, block.firstId)
        : block;
  await insertNew(tx, next, { noted: added, words });
}

/** Adds entries to a block that has none of them. */
export async function insertNew(
  tx: Transaction,
  block: Block,
  { noted, words }: Pick<Adding, 'noted' | 'words'>,
): Promise<void> {
  await insertEntries(tx, block, noted);
  const placed = noted.map(({ id }, at) => {
    return { position: block.positions + at, words: words.get(id) ?? new Map<string, string>() };
  });
  await addWords(tx, block.block, placed);
}

/** Adds the hits of entries to their words, in the order of the index, so that each step changes few of its pages. */
async function addWords(tx: Transaction, block: number, entries: readonly Worded[]): Promise<void> {
  const hits = new Map<string, string>();
  for (const { position, words } of entries) {
    const hit = hitOf(position);
    for (const [word, places] of words) hits.set(word, (hits.get(word) ?? '') + hit + places);
  }
  const sorted = Array.from(hits, ([word, each]) => ({ word, hits: each })).toSorted((one, other) =>
    one.word < other.word ? -1 : 1,
  );
  await storeWords(tx, { block, words: sorted, storing: 'append' });
}

/** An entry at its position. */
interface Worded {
  readonly position: number;
  readonly words: PlacedWords;
}

function positionOf({ position }: { readonly position: number }): number {
  return position;
}
