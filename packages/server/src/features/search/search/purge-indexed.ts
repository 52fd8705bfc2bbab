import type { PurgeContent } from '../../communities/purge/purge.ts';
import { positionsIn } from './blocks.ts';
import { placeWord } from './index-words.ts';
import { awaitStep, deleteEntries, selectBlocksAfter } from './store.ts';
import { selectHits } from './words-store.ts';

/** Blocks that are looked at, and entries that are removed, at once. */
const AT_ONCE = 256;

/** Removes the entries of a channel whose rows are gone from the index, and later their words. */
export const purgeIndexed: PurgeContent = async ({ database }, { channelId, signal }) => {
  // A step under way may have read the rows.
  await database.transaction((tx) => awaitStep(tx.sql));
  for (let block = 0; ;) {
    signal.throwIfAborted();
    const blocks = await selectBlocksAfter(database.reader, { block, limit: AT_ONCE });
    for (const row of await selectHits(database.reader, blocks, [placeWord(channelId)])) {
      const positions = [...positionsIn([row.hits])];
      for (let done = 0; done < positions.length; done += AT_ONCE) {
        signal.throwIfAborted();
        const some = positions.slice(done, done + AT_ONCE);
        await database.transaction((tx) => deleteEntries(tx.sql, row.block, some));
      }
    }
    const last = blocks.at(-1);
    if (last === undefined) return;
    block = last;
  }
};
