import { compareIds, type ChannelKind, type Id } from '@hearth/protocol';
import type { Reader } from '../../../../ports/database/database.ts';
import type { IdRange } from '../../../../ports/database/id-range.ts';
import { selectLastIds } from '../../../platform/turns/turns.ts';
import {
  selectCommentRange,
  selectCommentsLeft,
  selectNewestComments,
  type StoredComment,
} from '../../../forum/comments/comments.ts';
import {
  selectMessages,
  selectRange,
  type StoredMessage,
} from '../../../talk/messages/messages.ts';
import { selectPostRange, selectPosts, type StoredPost } from '../../../forum/posts/posts.ts';
import { COMMENT, POST } from '../index-words.ts';

/** A message, post or comment, as the search sees it. */
export interface Entry<Stored = unknown> {
  readonly id: Id;
  readonly channelId: Id;
  readonly userId: Id | '';
  /** Everything that may have the words. */
  readonly text: string;
  readonly files: StoredMessage['files'];
  /** What the index has of each of its kind; undefined for messages, which share no channel with others. */
  readonly mark: string | undefined;
  readonly stored: Stored;
}

/** Where entries of one kind are read. */
export interface Entries<Stored = unknown> {
  /** As in {@link Entry}. */
  readonly mark: string | undefined;
  /** Whether channels of a kind have them. */
  areIn(kind: ChannelKind): boolean;
  /** The entries of a range, the newest first. */
  range(db: Reader, channelId: Id, range: IdRange): Promise<readonly Entry<Stored>[]>;
  /** Entries by their ids, in no order. */
  some(db: Reader, channelId: Id, ids: readonly Id[]): Promise<readonly Entry<Stored>[]>;
  /** The ids of the newest ones, which may have been deleted, by the ids of the channels. */
  newest(db: Reader, channelIds: readonly Id[]): Promise<ReadonlyMap<Id, Id>>;
}

export const MESSAGE_ENTRIES: Entries<StoredMessage> = {
  mark: undefined,
  areIn: (kind) => kind === 'messages' || kind === 'announcements',
  range: async (db, channelId, range) => (await selectRange(db, channelId, range)).map(ofMessage),
  some: async (db, channelId, ids) => (await selectMessages(db, channelId, ids)).map(ofMessage),
  newest: selectLastIds,
};

export const POST_ENTRIES: Entries<StoredPost> = {
  mark: POST,
  areIn: hasPosts,
  range: async (db, channelId, range) => (await selectPostRange(db, channelId, range)).map(ofPost),
  some: async (db, channelId, ids) =>
    (await selectPosts(db, ids)).filter((post) => post.channelId === channelId).map(ofPost),
  newest: selectLastIds,
};

/** The comments in channels with posts, without those that were deleted. */
export const COMMENT_ENTRIES: Entries<StoredComment> = {
  mark: COMMENT,
  areIn: hasPosts,
  range: async (db, channelId, range) =>
    (await selectCommentRange(db, channelId, range)).map(ofComment),
  some: async (db, channelId, ids) => (await selectCommentsLeft(db, channelId, ids)).map(ofComment),
  newest: selectNewestComments,
};

function hasPosts(kind: ChannelKind): boolean {
  return kind === 'posts';
}

function ofMessage(stored: StoredMessage): Entry<StoredMessage> {
  const { id, channelId, userId, content, files, isCard } = stored;
  // Not everyone who sees a card may see its post, which is found by itself.
  const text = isCard ? '' : content;
  return { id, channelId, userId, text, files, mark: undefined, stored };
}

function ofPost(stored: StoredPost): Entry<StoredPost> {
  const { id, channelId, userId, title, content, url, files } = stored;
  return { id, channelId, userId, text: `${title}\n${content}\n${url}`, files, mark: POST, stored };
}

function ofComment(stored: StoredComment): Entry<StoredComment> {
  const { id, channelId, userId, content } = stored;
  return { id, channelId, userId, text: content, files: [], mark: COMMENT, stored };
}

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
