import type { Id } from '@hearth/protocol';
import type { Reader, Statement, Writer } from '../../../../ports/database/database.ts';
import type { Swept } from '../../../../ports/database/delete-after.ts';
import { evenly, placesAfter, readRows } from '../../../../ports/database/read-rows.ts';
import { hitStatements, LAST_CHARACTER, type Storing } from '../hit-statements.ts';
import type { Hits, IndexRows, SizedBlocks } from '../numbers-with.ts';
import { indexOfStored, storedBlock, type ChannelSizes } from './channel-blocks.ts';

/** A block of a channel's index, by the number under which it is stored. */
export interface ChannelBlock {
  readonly channelId: Id;
  readonly block: number;
}

/** The entries of a block that have some word. */
export interface WordHits {
  readonly word: string;
  readonly hits: string;
}

/** The same with the block. */
export interface BlockHits extends WordHits {
  readonly block: number;
}

/** Some of the words of a block, in the order of the index. */
export interface WordRange {
  /** Only words after it. */
  readonly after: string;
  readonly limit: number;
}

/** Statements that add hits to words, or replace those that they have. */
export function wordStatements(
  channelId: Id,
  words: readonly BlockHits[],
  storing: Storing = 'append',
): readonly Statement[] {
  const key = ['channel_id', 'block', 'word'];
  const rows = words.map(({ block, word, hits }) => [channelId, block, word, hits]);
  return hitStatements({ table: 'channel_words', key, storing }, rows);
}

/** Words with their hits, about in the order of the index, so that writing them changes few of its pages at a time. */
export function inOrder(hits: ReadonlyMap<string, string>): readonly WordHits[] {
  return [...hits]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([word, each]) => ({ word, hits: each }));
}

/** Words of a block with their hits, in the order of the index. */
export async function selectWords(
  db: Reader,
  { channelId, block }: ChannelBlock,
  { after, limit }: WordRange,
): Promise<readonly WordHits[]> {
  return await db
    .selectFrom('channel_words')
    .select(['word', 'hits'])
    .where('channel_id', '=', channelId)
    .where('block', '=', block)
    .where('word', '>', after)
    .orderBy('word')
    .limit(limit)
    .execute();
}

/** Forgets those words of a block that have no hits. */
export async function deleteWithoutHits(
  db: Writer,
  { channelId, block }: ChannelBlock,
  { after, last }: { readonly after: string; readonly last: string },
): Promise<void> {
  await db
    .deleteFrom('channel_words')
    .where('channel_id', '=', channelId)
    .where('block', '=', block)
    .where('word', '>', after)
    .where('word', '<=', last)
    .where('hits', '=', '')
    .execute();
}

/** The words of a channel, or those in the blocks before one, in the order in which they are deleted. */
export function sweptWords(channelId: Id, before?: number): Swept {
  const where = { channel_id: channelId };
  return { table: 'channel_words', where, order: ['block', 'word'], before };
}

/** The index of a channel has changed, so words may be missing. */
export class IndexChanged extends Error {}

/** The index of a channel as a search found it when it began. */
export interface ChannelRows {
  readonly channelId: Id;
  readonly sizes: ChannelSizes;
  readonly version: number;
}

interface HitsRow {
  readonly version: number;
  readonly block: number | null;
  readonly hits: string | null;
}

/** The rows of the index of a channel. Reading throws IndexChanged if its version is no longer the same. */
export function rowsOf(db: Reader, { channelId, sizes, version }: ChannelRows): IndexRows {
  const select = async (
    { size, blocks }: SizedBlocks,
    isWanted: (place: number) => string,
    values: readonly string[],
  ): Promise<readonly Hits[]> => {
    const stored = evenly(blocks.map((index) => storedBlock({ size, index }, sizes)));
    // One statement, so that the rows are those of the version.
    const text = `select version, block, hits from channel_index left join channel_words
      on channel_words.channel_id = $1 and block in (${placesAfter(1, stored.length)})
      and ${isWanted(1 + stored.length)} where channel_index.channel_id = $1`;
    const statement = { text, values: [channelId, ...stored, ...values] };
    const rows = await readRows<HitsRow>(db, statement);
    if (Number(rows[0]?.version) !== version) throw new IndexChanged();
    return rows.flatMap(({ block, hits }) =>
      block === null || hits === null ? [] : [{ block: indexOfStored(Number(block)), hits }],
    );
  };
  return {
    ofWords: (blocks, words) =>
      select(blocks, (at) => `word in (${placesAfter(at, words.length)})`, words),
    ofBeginning: (blocks, beginning) =>
      select(blocks, (at) => `word between $${at + 1} and $${at + 2}`, [
        beginning,
        `${beginning}${LAST_CHARACTER}`,
      ]),
  };
}
