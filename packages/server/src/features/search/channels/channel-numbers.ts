import { MOST_SEARCH_CANDIDATES, type Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';
import { blockOf, hitsInAll, numbersIn, numbersOf } from '../blocks.ts';
import type { LookedUp } from '../index-words.ts';
import type { FoundNumbers } from '../numbers-with.ts';
import { CHANNEL_BLOCK } from './channel-block.ts';
import { selectHits, selectHitsOfBeginning, type ChannelBlocks } from './words-store.ts';

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

/** Hits by their blocks, and how many rows were read. */
interface Hits {
  readonly hits: ReadonlyMap<number, string>;
  readonly cost: number;
}

/** The hits of each block that has any. */
async function hitsIn(db: Reader, among: ChannelBlocks, lookedUp: LookedUp): Promise<Hits> {
  const { words, beginning, mark } = lookedUp;
  const found = await hitsOfWords(db, among, { words, beginning });
  const blocks = [...found.hits].filter(([, hits]) => hits !== '').map(([block]) => block);
  if (mark === undefined || blocks.length === 0) return found;
  const marked = await selectHits(db, { ...among, blocks }, [mark]);
  const hits = marked.map(
    ({ block, hits: each }) => [block, hitsInAll([each, found.hits.get(block) ?? ''])] as const,
  );
  return { hits: new Map(hits), cost: found.cost + marked.length };
}

async function hitsOfWords(
  db: Reader,
  { channelId, blocks }: ChannelBlocks,
  { words, beginning }: LookedUp,
): Promise<Hits> {
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
