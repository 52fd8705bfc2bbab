import { MOST_SEARCH_CANDIDATES, type Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';
import { blockOf, hitsInAll, numbersIn, numbersOf } from '../blocks.ts';
import type { LookedUp } from '../index-words.ts';
import type { FoundNumbers } from '../numbers-with.ts';
import { CHANNEL_BLOCK } from './channel-block.ts';
import { selectHits, selectHitsOfBeginning } from './words-store.ts';

/** Blocks that are read at most at once. */
const MOST_BLOCKS = 128;

/** How much more is read with each step. */
const GROWTH = 4;

/** Which messages of a channel are searched, and for what. */
export interface ChannelLookUp {
  readonly channelId: Id;
  readonly lookedUp: LookedUp;
  readonly firstNumber: number;
  readonly lastNumber: number;
}

/** The numbers of the messages of a channel that have everything that is looked up. */
export async function* channelNumbers(
  db: Reader,
  { channelId, lookedUp, firstNumber, lastNumber }: ChannelLookUp,
): AsyncGenerator<FoundNumbers, void> {
  const firstBlock = blockOf(firstNumber, CHANNEL_BLOCK);
  let most = 1;
  for (let end = blockOf(lastNumber, CHANNEL_BLOCK); end >= firstBlock;) {
    const begin = Math.max(firstBlock, end + 1 - most);
    const blocks = Array.from({ length: end - begin + 1 }, (_, at) => end - at);
    const { hits, cost } = await hitsIn(db, { channelId, blocks }, lookedUp);
    const numbers = blocks
      .flatMap((index) => numbersIn(hits.get(index) ?? '', { size: CHANNEL_BLOCK, index }))
      .filter((number) => number >= firstNumber && number <= lastNumber);
    const { first } = numbersOf({ size: CHANNEL_BLOCK, index: begin });
    yield { numbers, reached: Math.max(first, firstNumber), cost };
    end = begin - 1;
    // Beginnings of few characters have many words.
    const affordable = Math.floor((MOST_SEARCH_CANDIDATES * blocks.length) / Math.max(1, cost));
    most = Math.max(1, Math.min(most * GROWTH, MOST_BLOCKS, affordable));
  }
}

/** The hits of each block that has any, and how many rows were read. */
async function hitsIn(
  db: Reader,
  { channelId, blocks }: { readonly channelId: Id; readonly blocks: readonly number[] },
  { words, beginning }: LookedUp,
): Promise<{ readonly hits: ReadonlyMap<number, string>; readonly cost: number }> {
  const rows = words.length === 0 ? [] : await selectHits(db, { channelId, blocks }, words);
  const ofWords = Map.groupBy(rows, ({ block }) => block);
  const textsOf = (block: number) => (ofWords.get(block) ?? []).map(({ hits }) => hits);
  const left = blocks.filter((block) => textsOf(block).length === words.length);
  if (beginning === undefined || left.length === 0) {
    return {
      hits: new Map(left.map((block) => [block, hitsInAll(textsOf(block))])),
      cost: rows.length,
    };
  }
  const begun = await selectHitsOfBeginning(db, { channelId, blocks: left }, beginning);
  const hits = new Map<number, string>();
  for (const [block, found] of Map.groupBy(begun, (row) => row.block)) {
    const any = found.map((row) => row.hits).join('');
    hits.set(block, hitsInAll([any, ...textsOf(block)]));
  }
  return { hits, cost: rows.length + begun.length };
}
