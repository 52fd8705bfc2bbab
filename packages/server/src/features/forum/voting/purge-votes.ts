import type { Id } from '@hearth/protocol';
import type { PurgeContent } from '../../communities/purge/purge.ts';
import { clearVotes } from '../votes/votes.ts';
import { VOTED_KINDS, VOTED_STORES } from './voted-stores.ts';

/** The number of posts or comments whose votes are looked up at a time. */
const VOTED_AT_ONCE = 500;

/**
 * Removes the votes in a channel that was deleted, except those that gave points: their authors keep these. It goes by what they
 * are for, which is still there, so that each is read once and no index has the votes of a channel.
 */
export const purgeVotes: PurgeContent = async (ctx, { channelId, signal }) => {
  for (const kind of VOTED_KINDS) {
    let after: Id | undefined;
    do {
      const range = { after, limit: VOTED_AT_ONCE };
      const subjectIds = await VOTED_STORES[kind].selectIn(ctx.database.reader, channelId, range);
      await clearVotes(ctx, { subjectIds, signal });
      after = subjectIds.at(-1);
    } while (after !== undefined);
  }
};
