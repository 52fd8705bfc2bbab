import type { PurgeContent } from '../purge/purge-content.ts';
import { deleteVotesIn } from './store.ts';

/** How many votes are removed in one transaction. */
const VOTES_AT_ONCE = 500;

/** Removes the votes in a channel that was deleted, except those that gave points: their authors keep these. */
export const purgeVotes: PurgeContent = async ({ database }, { channelId, signal }) => {
  for (let count = VOTES_AT_ONCE; count === VOTES_AT_ONCE;) {
    signal.throwIfAborted();
    count = await database.transaction(({ sql }) => deleteVotesIn(sql, channelId, VOTES_AT_ONCE));
  }
};
