import type { Id, SplitWords } from '@hearth/protocol';
import type { Transaction } from '../../../../ports/database/database.ts';
import { hitOf, shiftedHits } from '../blocks.ts';
import { indexedChannelWords } from '../index-words.ts';
import { blockWith, isMergeDue, storedBlock, type ChannelSizes } from './channel-blocks.ts';
import { indexedIn, type Entry } from './entries.ts';
import { insertNumbers } from './numbers-store.ts';
import { advance, noteMerged, noteReached, type LockedIndex } from './store.ts';
import { wordStatements, inOrder, selectWords, type BlockHits } from './words-store.ts';

/** What a step of the indexer works on. */
export interface Indexing {
  readonly channelId: Id;
  /** Is locked until the step ends. */
  readonly index: LockedIndex;
  readonly sizes: ChannelSizes;
  readonly split: SplitWords;
}

/** Messages, or posts and comments, of one transaction, so that other writers never wait long. */
const ENTRIES_A_STEP = 32;

/** The same for characters: a post may have as many as some messages. The first one is indexed in any case. */
const CHARACTERS_A_STEP = 40_000;

/** Indexes some new entries of a channel. Returns whether no more were there, and their blocks are not to be merged. */
export async function indexNext(tx: Transaction, indexing: Indexing): Promise<boolean> {
  const { channelId, index } = indexing;
  const range = { after: index.lastId, limit: ENTRIES_A_STEP };
  const { range: entriesIn } = indexedIn(index.kind);
  const read = (await entriesIn(tx.sql, channelId, range)).toReversed();
  const entries = firstOf(read);
  const last = entries.at(-1);
  if (last === undefined) return true;
  const first = index.lastNumber + 1;
  const numbered = entries.map((entry, at) => [first + at, entry] as const);
  await addWords(tx, indexing, numbered);
  const ids = entries.map(({ id }) => id);
  await insertNumbers(tx.sql, channelId, { ids, first });
  const lastNumber = index.lastNumber + entries.length;
  await advance(tx.sql, channelId, { lastNumber, lastId: last.id });
  const isAll = read.length < ENTRIES_A_STEP && entries.length === read.length;
  return isAll && !isMergeDue({ lastNumber, merged: index.merged }, indexing.sizes);
}

/** Adds the words of entries to the blocks that have their numbers. */
export async function addWords(
  tx: Transaction,
  indexing: Indexing,
  entries: readonly (readonly [number: number, entry: Entry])[],
): Promise<void> {
  const rows = entries.flatMap((entry) => hitsOf(entry, indexing));
  const all = [...Map.groupBy(rows, ({ block }) => block)].flatMap(([block, ofBlock]) => {
    const hits = new Map<string, string>();
    for (const row of ofBlock) hits.set(row.word, (hits.get(row.word) ?? '') + row.hits);
    return inOrder(hits).map((row) => ({ block, ...row }));
  });
  for (const statement of wordStatements(indexing.channelId, all)) await tx.run(statement);
}

/** The words of an entry with its hit. */
function hitsOf(
  [number, entry]: readonly [number, Entry],
  { index, sizes, split }: Indexing,
): readonly BlockHits[] {
  const inBlock = blockWith(number, sizes, index);
  const [block, hits] = [storedBlock(inBlock, sizes), hitOf(number, inBlock.size)];
  return [...indexedChannelWords(entry, split)].map((word) => ({ block, word, hits }));
}

/** As many of the first entries as one step indexes. */
function firstOf(entries: readonly Entry[]): readonly Entry[] {
  let characters = 0;
  const end = entries.findIndex(({ text }, at) => {
    characters += text.length;
    return at > 0 && characters > CHARACTERS_A_STEP;
  });
  return end === -1 ? entries : entries.slice(0, end);
}

/**
 * Merges the next words of small blocks into a large one. Where the next step begins is written in the same transaction, so any
 * process may do it, also after a crash.
 */
export async function mergeNext(
  tx: Transaction,
  { channelId, index, sizes }: Indexing,
): Promise<void> {
  const { merged, reachedWord } = index;
  const count = sizes.large / sizes.small;
  const limit = sizes.words / count;
  const hits = new Map<string, string>();
  const parts = [];
  for (let at = 0; at < count; at += 1) {
    const range = { after: reachedWord, limit };
    const block = merged * count + at;
    parts.push(await selectWords(tx.sql, { channelId, block }, range));
  }
  // Words after the last one that was read of a block may be missing.
  const ends = parts.flatMap((part) => (part.length < limit ? [] : part.slice(-1)));
  const [end] = ends.map(({ word }) => word).toSorted(compareBytes);
  for (const [at, part] of parts.entries()) {
    for (const { word, hits: each } of part) {
      if (end !== undefined && compareBytes(word, end) > 0) break;
      hits.set(word, (hits.get(word) ?? '') + shiftedHits(each, at * sizes.small));
    }
  }
  const block = storedBlock({ size: sizes.large, index: merged }, sizes);
  const rows = inOrder(hits).map((row) => ({ block, ...row }));
  for (const statement of wordStatements(channelId, rows)) await tx.run(statement);
  await (end === undefined ? noteMerged(tx.sql, channelId) : noteReached(tx.sql, channelId, end));
}

/** The order of the database, which is not that of JavaScript for characters outside the basic plane. */
function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
