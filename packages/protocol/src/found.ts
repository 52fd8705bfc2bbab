import { z } from 'zod';
import { channelMessageListSchema } from './channel-messages.ts';
import { commentListSchema } from './comments.ts';
import { messageListSchema } from './messages.ts';
import { postListSchema } from './posts.ts';

/** The results of a search: messages of the lobby or of channels, posts as lists show them, or comments. Ours. */
export const foundSchema = z.union([
  channelMessageListSchema,
  messageListSchema,
  postListSchema,
  commentListSchema,
]);
