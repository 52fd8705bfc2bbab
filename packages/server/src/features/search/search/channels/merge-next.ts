import type { Transaction } from '../../../../ports/database/database.ts';
import { shiftedHits } from '../blocks.ts';
import { storedBlock } from './channel-blocks.ts';
import type { Indexing } from './indexing.ts';
import { noteMerged, noteReached } from './store.ts';
import { wordStatements, inOrder, selectWords } from './words-store.ts';

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
