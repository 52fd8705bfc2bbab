import { excerptOf, withEllipsis } from '@hearth/markdown';
import type { Id, Notification } from '@hearth/protocol';
import type { Reader } from '../../ports/database/database.ts';
import { selectComments } from '../comments/written-comments.ts';
import { selectContents } from '../messages/written-messages.ts';
import { selectPosts } from '../posts/written-posts.ts';
import type { StoredNotification } from './store.ts';

/** The words that a notification shows. */
export type Words = Pick<Notification, 'post_title' | 'excerpt'>;

/** The number of characters of a text that are shown. */
const MOST_SHOWN = 200;

/**
 * What notifications are about, as it is now, by their ids. Those whose message, post or comment was deleted are left out.
 * The caller decides who sees the channels.
 */
export async function wordsOf(
  db: Reader,
  notifications: readonly Pick<StoredNotification, 'id' | 'postId' | 'channelId'>[],
): Promise<ReadonlyMap<Id, Words>> {
  const inMessages = notifications.filter(({ postId }) => postId === '');
  const postIds = new Set(notifications.flatMap(({ postId }) => (postId === '' ? [] : postId)));
  const inComments = notifications.filter(({ id, postId }) => postId !== '' && postId !== id);
  const [messages, posts, comments] = await Promise.all([
    selectContents(db, inMessages),
    selectPosts(db, [...postIds]),
    selectComments(
      db,
      inComments.map(({ id }) => id),
    ),
  ]);
  const postOf = new Map(posts.map((post) => [post.id, post]));
  const words = new Map<Id, Words>();
  for (const { id, content } of messages) words.set(id, wordsIn(content));
  for (const { id, title, content, isSpoiler } of posts) {
    words.set(id, { post_title: title, ...(!isSpoiler && wordsIn(content)) });
  }
  for (const { id, postId, content, deletedAtMs } of comments) {
    const post = postOf.get(postId);
    if (post === undefined || deletedAtMs > 0) continue;
    words.set(id, { post_title: post.title, ...wordsIn(content) });
  }
  return words;
}

function wordsIn(content: string): Pick<Words, 'excerpt'> {
  const excerpt = withEllipsis(excerptOf(content, MOST_SHOWN, { isOwn: true }));
  return excerpt === '' ? {} : { excerpt };
}
