import { notifiedComments } from '../features/forum/comments/notified-comments.ts';
import { notifiedPosts } from '../features/forum/posts/notified-posts.ts';
import { notifiedMessages } from '../features/talk/messages/notified-messages.ts';
import type { NotifiedTexts } from '../features/talk/notifications/notified-texts.ts';

/** Functions that read what notifications are about, by the features that keep it. */
export const NOTIFIED_TEXTS: NotifiedTexts = {
  messages: notifiedMessages,
  posts: notifiedPosts,
  comments: notifiedComments,
};
