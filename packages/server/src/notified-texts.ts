import { notifiedComments } from './features/comments/notified-comments.ts';
import { notifiedMessages } from './features/messages/notified-messages.ts';
import type { NotifiedTexts } from './features/notifications/notified-texts.ts';
import { notifiedPosts } from './features/posts/notified-posts.ts';

/** What notifications are about, from the features that keep it. */
export const NOTIFIED_TEXTS: NotifiedTexts = {
  messages: notifiedMessages,
  posts: notifiedPosts,
  comments: notifiedComments,
};
