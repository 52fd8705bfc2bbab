import { compareIds, type ChannelKind } from '@hearth/protocol';
import {
  COMMENT_ENTRIES,
  MESSAGE_ENTRIES,
  POST_ENTRIES,
  type Entries,
  type Entry,
} from './entries.ts';

/** What the index of a channel is made from. */
export type IndexedEntries = Pick<Entries, 'range' | 'some'>;

/** Posts and comments are in one index, in the order of their ids. */
const POSTS_AND_COMMENTS: IndexedEntries = {
  async range(db, channelId, range) {
    const posts = await POST_ENTRIES.range(db, channelId, range);
    const comments = await COMMENT_ENTRIES.range(db, channelId, range);
    const all = [...posts, ...comments].toSorted(newestFirst);
    const isUpwards = range.after !== undefined && range.before === undefined;
    return isUpwards ? all.slice(-range.limit) : all.slice(0, range.limit);
  },
  async some(db, channelId, ids) {
    const posts = await POST_ENTRIES.some(db, channelId, ids);
    return [...posts, ...(await COMMENT_ENTRIES.some(db, channelId, ids))];
  },
};

export function indexedIn(kind: ChannelKind): IndexedEntries {
  return POST_ENTRIES.areIn(kind) ? POSTS_AND_COMMENTS : MESSAGE_ENTRIES;
}

function newestFirst(one: Entry, other: Entry): number {
  return compareIds(other.id, one.id);
}
