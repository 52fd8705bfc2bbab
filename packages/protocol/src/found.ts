import { z } from 'zod';
import { channelMessageListSchema, channelMessageSchema } from './channel-messages.ts';
import { commentListSchema, commentSchema } from './comments.ts';
import { idSchema } from './id-schema.ts';
import { lobbyMessageSchema, messageListSchema } from './messages.ts';
import { postListSchema, postSchema } from './posts.ts';

/** Something that a search for all kinds has found. Ours. */
export const foundAnywhereSchema = z.union([
  z.object({
    kind: z.literal('messages'),
    id: idSchema,
    /** A message of the lobby, or of a channel: that has a `channel_id`. */
    message: z.union([channelMessageSchema, lobbyMessageSchema]),
  }),
  z.object({
    kind: z.literal('posts'),
    id: idSchema,
    /** A post, as lists show it. */
    post: postSchema,
  }),
  z.object({
    kind: z.literal('comments'),
    id: idSchema,
    /** A comment with its post. */
    comment: commentSchema,
  }),
]);

/** Something that a search for all kinds has found. */
export type FoundAnywhere = z.infer<typeof foundAnywhereSchema>;

/** The results of a search: messages of the lobby or of channels, posts as lists show them, comments, or all of these. Ours. */
export const foundSchema = z.union([
  channelMessageListSchema,
  messageListSchema,
  postListSchema,
  commentListSchema,
  z.array(foundAnywhereSchema),
]);
