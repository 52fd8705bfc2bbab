import { compareIds, type Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';
import type { IdRange } from '../../../ports/database/id-range.ts';
import {
  selectComments,
  selectNewestCommentIds,
  type StoredComment,
} from '../../forum/comments/comments.ts';
import { selectNewestPostIds, selectPosts, type StoredPost } from '../../forum/posts/posts.ts';
import { INDEXED_KINDS, type IndexedKind, type Noted } from '../../talk/index-queue/index-queue.ts';
import {
  selectLobbyMessages,
  selectLobbyRange,
  type StoredLobbyMessage,
} from '../../talk/lobby/lobby.ts';
import {
  selectMessagesById,
  selectNewestMessageIds,
  type StoredMessage,
} from '../../talk/messages/messages.ts';
import { LOBBY_ID } from '../../talk/places/places.ts';

/** The stored form of each kind. */
interface StoredAs {
  readonly lobby: StoredLobbyMessage;
  readonly messages: StoredMessage;
  readonly posts: StoredPost;
  readonly comments: StoredComment;
}

/** A message, post or comment, as the search sees it. */
export interface Entry<Kind extends IndexedKind = IndexedKind> {
  readonly id: Id;
  readonly kind: Kind;
  readonly placeId: Id;
  readonly userId: Id | '';
  /** The name of an author in the lobby, where no account is needed; empty elsewhere. */
  readonly author: string;
  /** Everything that may have the words. */
  readonly text: string;
  readonly files: StoredMessage['files'];
  readonly stored: StoredAs[Kind];
}

/** The newest ones before an id. */
type Newest = Omit<IdRange, 'after'>;

/** Reads entries of a kind by their ids, in no order, or the ids of the newest ones. */
interface Reading {
  some(db: Reader, ids: readonly Id[]): Promise<readonly Entry[]>;
  newest(db: Reader, range: Newest): Promise<readonly Id[]>;
}

const READINGS: Readonly<Record<IndexedKind, Reading>> = {
  lobby: {
    some: async (db, ids) => (await selectLobbyMessages(db, ids)).map(ofLobby),
    newest: async (db, range) =>
      (await selectLobbyRange(db, range)).map(({ message }) => message.id),
  },
  messages: {
    some: async (db, ids) => (await selectMessagesById(db, ids)).map(ofMessage),
    newest: selectNewestMessageIds,
  },
  posts: {
    some: async (db, ids) => (await selectPosts(db, ids)).map(ofPost),
    newest: selectNewestPostIds,
  },
  comments: {
    some: async (db, ids) =>
      (await selectComments(db, ids)).filter(({ deletedAtMs }) => deletedAtMs === 0).map(ofComment),
    newest: selectNewestCommentIds,
  },
};

/** Reads the entries that were not deleted, the newest first. */
export async function readEntries(
  db: Reader,
  located: readonly Noted[],
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const [kind, some] of Map.groupBy(located, (each) => each.kind)) {
    const ids = [...new Set(some.map(({ id }) => id))];
    entries.push(...(await READINGS[kind].some(db, ids)));
  }
  return entries.toSorted(newestFirst);
}

/** The newest entries of all kinds before an id, the newest first. */
export async function selectNewest(db: Reader, range: Newest): Promise<readonly Noted[]> {
  const named: Noted[] = [];
  for (const kind of INDEXED_KINDS) {
    for (const id of await READINGS[kind].newest(db, range)) named.push({ id, kind });
  }
  return named.toSorted(newestFirst).slice(0, range.limit);
}

/** Returns whether an entry is of a kind. */
export function isOf<Kind extends IndexedKind>(entry: Entry, kind: Kind): entry is Entry<Kind> {
  return entry.kind === kind;
}

export function ofLobby(stored: StoredLobbyMessage): Entry<'lobby'> {
  const { id, author, user, content } = stored.message;
  const rest = { author, text: content, files: [], stored };
  return { id, kind: 'lobby', placeId: LOBBY_ID, userId: user?.id ?? '', ...rest };
}

function ofMessage(stored: StoredMessage): Entry<'messages'> {
  const { id, channelId: placeId, userId, content, files, isCard } = stored;
  // Not everyone who sees a card may see its post, which is found by itself.
  const text = isCard ? '' : content;
  return { id, kind: 'messages', placeId, userId, author: '', text, files, stored };
}

function ofPost(stored: StoredPost): Entry<'posts'> {
  const { id, channelId: placeId, userId, title, content, url, files } = stored;
  const text = `${title}\n${content}\n${url}`;
  return { id, kind: 'posts', placeId, userId, author: '', text, files, stored };
}

function ofComment(stored: StoredComment): Entry<'comments'> {
  const { id, channelId: placeId, userId, content: text } = stored;
  return { id, kind: 'comments', placeId, userId, author: '', text, files: [], stored };
}

function newestFirst(one: Noted, other: Noted): number {
  return compareIds(other.id, one.id);
}
