import { excerptOf, withEllipsis } from '@hearth/markdown';
import type { Id, Notification } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { HasNotifiedTexts } from './notified-texts.ts';
import type { StoredNotification } from './store.ts';

/** The words that a notification shows. */
export type Words = Pick<Notification, 'post_title' | 'excerpt'>;

/** The number of characters of a text that are shown. */
const MOST_SHOWN = 200;

/**
 * Reads what notifications are about, as it is now, by their ids. Those whose message, post or comment was deleted are
 * left out. The caller decides who sees the channels.
 */
export async function wordsOf(
  { database: { reader }, notifiedTexts }: Pick<Context, 'database'> & HasNotifiedTexts,
  notifications: readonly Pick<StoredNotification, 'id' | 'postId' | 'channelId'>[],
): Promise<ReadonlyMap<Id, Words>> {
  const inMessages = notifications.filter(({ postId }) => postId === '');
  const postIds = new Set(notifications.flatMap(({ postId }) => (postId === '' ? [] : postId)));
  const inComments = notifications.filter(({ id, postId }) => postId !== '' && postId !== id);
  const [messages, posts, comments] = await Promise.all([
    notifiedTexts.messages(reader, inMessages),
    notifiedTexts.posts(reader, [...postIds]),
    notifiedTexts.comments(
      reader,
      inComments.map(({ id }) => id),
    ),
  ]);
  const words = new Map<Id, Words>();
  for (const { id, postId } of notifications) {
    const post = postId === '' ? undefined : posts.get(postId);
    if (postId !== '' && post === undefined) continue;
    const content = postId === id ? post?.content : (messages.get(id) ?? comments.get(id));
    if (content === undefined) continue;
    words.set(id, { ...(post && { post_title: post.title }), ...wordsIn(content) });
  }
  return words;
}

function wordsIn(content: string): Pick<Words, 'excerpt'> {
  const excerpt = withEllipsis(excerptOf(content, MOST_SHOWN, { isOwn: true }));
  return excerpt === '' ? {} : { excerpt };
}
