import { z } from 'zod';
import { commentSchema } from '../comments.ts';
import { idSchema } from '../id-schema.ts';
import { postSchema } from '../posts.ts';
import { totalsSchema } from '../votes.ts';
import { positionSchema } from './positions.ts';

/** Somebody has posted; `d` is the whole post, with the nonce that it was posted with. Profile 2, ours. */
export const postCreateSchema = z.object({
  op: z.literal('POST_CREATE'),
  s: positionSchema,
  d: postSchema.extend({ nonce: z.string().exactOptional() }),
});

/** A post has changed; `d` is the whole post, without what depends on the reader. Profile 2, ours. */
export const postUpdateSchema = z.object({
  op: z.literal('POST_UPDATE'),
  s: positionSchema,
  d: postSchema,
});

/** A post was deleted. Profile 2, ours. */
export const postDeleteSchema = z.object({
  op: z.literal('POST_DELETE'),
  s: positionSchema,
  d: z.object({ channel_id: idSchema, id: idSchema }),
});

/** Somebody has commented on a post that is watched. Profile 2, ours. */
export const commentCreateSchema = z.object({
  op: z.literal('COMMENT_CREATE'),
  d: commentSchema.extend({
    nonce: z.string().exactOptional(),
    /** The number of comments that the post has from now on. */
    comment_count: z.int().nonnegative(),
    /** The number of direct replies that `parent_id` has from now on. */
    parent_reply_count: z.int().positive().exactOptional(),
  }),
});

/** A comment on a post that is watched has changed, or was deleted and has replies. Profile 2, ours. */
export const commentUpdateSchema = z.object({ op: z.literal('COMMENT_UPDATE'), d: commentSchema });

/** A comment on a post that is watched was deleted, and had no replies. Profile 2, ours. */
export const commentDeleteSchema = z.object({
  op: z.literal('COMMENT_DELETE'),
  d: z.object({
    post_id: idSchema,
    id: idSchema,
    /** Further comments above it that were deleted before, and have no replies any more. */
    also: z.array(idSchema).exactOptional(),
    /** The comment right above all these, and how many direct replies it has from now on. */
    parent: z.object({ id: idSchema, reply_count: z.int().nonnegative() }).exactOptional(),
    comment_count: z.int().nonnegative(),
  }),
});

/** The totals of a post that is watched, or of a comment on it, have changed; at most once a second. Profile 2, ours. */
export const scoreUpdateSchema = z.object({
  op: z.literal('SCORE_UPDATE'),
  d: totalsSchema.required().omit({ scores_hidden_until: true }).extend({
    post_id: idSchema,
    comment_id: idSchema.exactOptional(),
  }),
});

/** Every event about posts that the streams of communities and channels have. */
export const POST_EVENTS = [postCreateSchema, postUpdateSchema, postDeleteSchema] as const;

/** Every event of a post that is watched. They belong to no stream. */
export const WATCHED_POST_EVENTS = [
  commentCreateSchema,
  commentUpdateSchema,
  commentDeleteSchema,
  scoreUpdateSchema,
] as const;
