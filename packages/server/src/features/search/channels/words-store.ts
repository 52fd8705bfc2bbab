import type { Id } from '@hearth/protocol';
import type { Reader, Statement, Transaction } from '../../../ports/database/database.ts';

/** Some blocks of a channel's index. */
export interface ChannelBlocks {
  readonly channelId: Id;
  readonly blocks: readonly number[];
}

/** The messages of a block that have some word. */
export interface BlockHits {
  readonly block: number;
  readonly hits: string;
}

/** The same with the word. */
export interface WordHits extends BlockHits {
  readonly word: string;
}

/** Comes after every character. */
const LAST_CHARACTER = '\u{10ffff}';

/** Rows of one statement. Few sizes make few statements. */
const ROWS_AT_ONCE = [64, 8, 1] as const;

/** The same for the blocks that one statement reads. */
const BLOCKS_AT_ONCE = [2, 8, 32, 128] as const;

/** Statements that add hits to words. */
export function appendStatements(channelId: Id, words: readonly WordHits[]): readonly Statement[] {
  const statements: Statement[] = [];
  let done = 0;
  for (const size of ROWS_AT_ONCE) {
    for (; words.length - done >= size; done += size) {
      const rows = words.slice(done, done + size);
      const values = rows.flatMap(({ block, word, hits }) => [channelId, block, word, hits]);
      statements.push({ text: appendText(size), values });
    }
  }
  return statements;
}

/** Removes a message from the words of its block. */
export async function removeHit(
  tx: Transaction,
  {
    channelId,
    block,
    hit,
  }: { readonly channelId: Id; readonly block: number; readonly hit: string },
): Promise<void> {
  await tx.run({
    text: `update channel_words set hits = replace(hits, $1, '')
      where channel_id = $2 and block = $3 and replace(hits, $4, '') <> hits`,
    values: [hit, channelId, block, hit],
  });
  await tx.run({
    text: `delete from channel_words where channel_id = $1 and block = $2 and hits = ''`,
    values: [channelId, block],
  });
}

/** Where these words occur in these blocks. */
export function selectHits(
  db: Reader,
  blocks: ChannelBlocks,
  words: readonly string[],
): Promise<readonly BlockHits[]> {
  return hitsOf(hitsIn(db, blocks).where('word', 'in', words));
}

/** Where words with this beginning occur in these blocks. */
export function selectHitsOfBeginning(
  db: Reader,
  blocks: ChannelBlocks,
  beginning: string,
): Promise<readonly BlockHits[]> {
  const query = hitsIn(db, blocks)
    .where('word', '>=', beginning)
    .where('word', '<=', `${beginning}${LAST_CHARACTER}`);
  return hitsOf(query);
}

function hitsIn(db: Reader, { channelId, blocks }: ChannelBlocks) {
  return db
    .selectFrom('channel_words')
    .select(['block', 'hits'])
    .where('channel_id', '=', channelId)
    .where('block', 'in', evenly(blocks));
}

async function hitsOf(query: ReturnType<typeof hitsIn>): Promise<readonly BlockHits[]> {
  const rows = await query.execute();
  return rows.map(({ block, hits }) => ({ block: Number(block), hits }));
}

/** Repeats a value, so that there are few numbers of values and few statements. */
function evenly(blocks: readonly number[]): readonly number[] {
  const count = BLOCKS_AT_ONCE.find((each) => each >= blocks.length) ?? blocks.length;
  return Array.from({ length: count }, (_, at) => blocks[Math.min(at, blocks.length - 1)] ?? 0);
}

function appendText(rows: number): string {
  const places = Array.from({ length: rows }, (_, row) => {
    const at = row * 4;
    return `($${at + 1}, $${at + 2}, $${at + 3}, $${at + 4})`;
  });
  return `insert into channel_words (channel_id, block, word, hits) values ${places.join(', ')}
    on conflict (channel_id, block, word) do update set hits = channel_words.hits || excluded.hits`;
}
