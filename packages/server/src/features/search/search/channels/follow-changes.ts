import type { Id } from '@hearth/protocol';
import { deleteChange, selectChanges } from '../../../talk/index-queue/index-queue.ts';
import type { Transaction } from '../../../../ports/database/database.ts';
import { hitOf, numbersIn } from '../blocks.ts';
import { LAST_CHARACTER } from '../hit-statements.ts';
import { blockWith, indexOfStored, storedBlock } from './channel-blocks.ts';
import { indexedIn } from './entries.ts';
import { addWords, type Indexing } from './index-next.ts';
import { beginCleaning, noteCleaned, noteReached, type Cleaning } from './store.ts';
import { deleteNumber, selectIds, selectNumbers } from './numbers-store.ts';
import { deleteWithoutHits, selectWords, wordStatements } from './words-store.ts';

/** Changed entries whose words are removed together. */
const CHANGES_AT_ONCE = 200;

/**
 * Begins to index again what was changed, and to remove what was deleted: all of one block together, because only reading the
 * block shows which words they had. Returns whether nothing was changed.
 */
export async function followChanges(
  tx: Transaction,
  { channelId, index, sizes }: Indexing,
): Promise<boolean> {
  const changes = await selectChanges(tx.sql, [channelId], CHANGES_AT_ONCE);
  const [first] = changes;
  if (first === undefined) return true;
  const ids = changes.map(({ id }) => id);
  const numbers = await selectNumbers(tx.sql, channelId, ids);
  const number = numbers.get(first.id);
  if (number === undefined) {
    // It is indexed later, as it is then, or was deleted.
    await deleteChange(tx.sql, channelId, first.id);
    return false;
  }
  const block = blockWith(number, sizes, index);
  const together = [...numbers.values()].filter((each) => {
    const other = blockWith(each, sizes, index);
    return other.size === block.size && other.index === block.index;
  });
  const hits = together.map((each) => hitOf(each, block.size)).join('');
  await beginCleaning(tx.sql, channelId, { block: storedBlock(block, sizes), hits });
  return false;
}

/** Removes the old words of changed entries, and then indexes these one by one. */
export async function cleanNext(
  tx: Transaction,
  indexing: Indexing,
  { block, hits }: Cleaning,
): Promise<void> {
  const { channelId, index, sizes } = indexing;
  const range = { after: index.reachedWord, limit: sizes.words };
  const words = await selectWords(tx.sql, { channelId, block }, range);
  const last = words.at(-1);
  if (last === undefined) return await indexAgain(tx, indexing, { block, hits });
  const removed = new Set(hits);
  const changed = words.flatMap(({ word, hits: before }) => {
    const left = [...before].filter((hit) => !removed.has(hit)).join('');
    return left === before ? [] : [{ block, word, hits: left }];
  });
  for (const statement of wordStatements(channelId, changed, 'replace')) await tx.run(statement);
  if (changed.some((each) => each.hits === '')) {
    const among = { after: index.reachedWord, last: last.word };
    await deleteWithoutHits(tx.sql, { channelId, block }, among);
  }
  const isLast = words.length < sizes.words;
  await noteReached(tx.sql, channelId, isLast ? LAST_CHARACTER : last.word);
}

/** Indexes one of the entries whose old words were removed. */
async function indexAgain(
  tx: Transaction,
  indexing: Indexing,
  { block, hits }: Cleaning,
): Promise<void> {
  const { channelId, sizes } = indexing;
  const { small, large } = sizes;
  const place = { size: block < 0 ? large : small, index: indexOfStored(block) };
  const [number = 0] = numbersIn(hits.slice(0, 1), place);
  await noteCleaned(tx.sql, channelId, hits.slice(1));
  const [id] = await selectIds(tx.sql, channelId, [number]);
  if (id === undefined) return;
  await readAgain(tx, indexing, { id, number });
}

async function readAgain(
  tx: Transaction,
  indexing: Indexing,
  { id, number }: { readonly id: Id; readonly number: number },
): Promise<void> {
  const { channelId, index } = indexing;
  // First, because this waits for those who are changing it: then it is read as they leave it.
  await deleteChange(tx.sql, channelId, id);
  const [entry] = await indexedIn(index.kind).some(tx.sql, channelId, [id]);
  if (entry === undefined) await deleteNumber(tx.sql, channelId, number);
  else await addWords(tx, indexing, [[number, entry]]);
}
