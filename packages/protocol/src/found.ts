import { z } from 'zod';
import { channelMessageListSchema, channelMessageSchema } from './channel-messages.ts';
import { commentListSchema, commentSchema } from './comments.ts';
import { idSchema } from './id-schema.ts';
import { lobbyMessageSchema, messageListSchema } from './messages.ts';
import { postListSchema, postSchema } from './posts.ts';
import { SEARCHED_KINDS } from './search.ts';

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

const countSchema = z.int().positive();

/** Counts of what a search finds, by kind, place and author. Ours. */
export const searchFacetsSchema = z.object({
  /** At most `MOST_COUNTED`. */
  total: z.int().nonnegative(),
  /** Set if there are more, or if the search stopped before it had read everything. */
  more: z.literal(true).exactOptional(),
  kinds: z.array(z.object({ kind: z.enum(SEARCHED_KINDS), count: countSchema })),
  places: z.array(
    z.object({
      place: z.union([z.literal('lobby'), idSchema]),
      community: idSchema.exactOptional(),
      name: z.string().exactOptional(),
      count: countSchema,
    }),
  ),
  authors: z.array(
    z.object({ author: z.string(), user_id: idSchema.exactOptional(), count: countSchema }),
  ),
});

/** Counts of what a search finds. */
export type SearchFacets = z.infer<typeof searchFacetsSchema>;

/** The results of a search: messages of the lobby or of channels, posts as lists show them, comments, or all of these. Ours. */
export const foundSchema = z.union([
  channelMessageListSchema,
  messageListSchema,
  postListSchema,
  commentListSchema,
  z.array(foundAnywhereSchema),
]);
