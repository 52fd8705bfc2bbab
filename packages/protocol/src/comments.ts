import { z } from 'zod';
import { idSchema } from './id-schema.ts';
import { MOST_NONCE_CHARACTERS } from './lengths.ts';
import { COMMENT_SORTS, MOST_COMMENT_CHARACTERS } from './post-names.ts';
import { pageQuerySchema } from './page-query.ts';
import { storableText } from './text.ts';
import { userSummarySchema } from './user-summary.ts';
import { totalsSchema, votedValueSchema } from './votes.ts';

/** The greatest depth of comments; those that reply to the post itself have depth 0. Ours. */
export const MOST_COMMENT_DEPTH = 50;

/** The largest number of replies to one comment that a page of the tree shows. Ours. */
export const MOST_SHOWN_REPLIES = 10;

/** The post that a comment is on, as lists of comments on several posts name it. Ours. */
export const commentedPostSchema = z.object({
  id: idSchema,
  title: z.string(),
  channel_id: idSchema,
  community_id: idSchema,
});

/** A comment on a post. A deleted one that has replies has neither user nor content. Ours. */
export const commentSchema = z.object({
  id: idSchema,
  post_id: idSchema,
  channel_id: idSchema,
  /** The post. Only the comments of a person and those that a search finds have it, because they are on several posts. */
  post: commentedPostSchema.exactOptional(),
  /** The comment that it replies to. */
  parent_id: idSchema.exactOptional(),
  depth: z.int().nonnegative(),
  user: userSummarySchema.exactOptional(),
  /** In Markdown. */
  content: z.string().exactOptional(),
  mentions: z.array(userSummarySchema).exactOptional(),
  mention_posts: z.array(z.object({ id: idSchema, title: z.string() })).exactOptional(),
  created_at: z.int().nonnegative(),
  edited_at: z.int().nonnegative().exactOptional(),
  ...totalsSchema.shape,
  /** The number of comments that reply to it directly, deleted ones that have replies among them. */
  reply_count: z.int().nonnegative(),
  /** The caller's vote. Events never have it. */
  my_vote: votedValueSchema.exactOptional(),
  deleted: z.literal(true).exactOptional(),
  version: z.int().positive(),
});

/** A part of the tree of comments, each before its replies. Ours. */
export const commentListSchema = z.array(commentSchema);

/** The body of `POST /posts/<id>/comments`. Ours. */
export const newCommentSchema = z.object({
  content: storableText(1, MOST_COMMENT_CHARACTERS),
  parent_id: idSchema.optional(),
  nonce: storableText(0, MOST_NONCE_CHARACTERS).optional(),
});

/** The body of `PATCH /comments/<id>`. Ours. */
export const commentChangeSchema = z.object({ content: storableText(1, MOST_COMMENT_CHARACTERS) });

/** The query of `GET /posts/<id>/comments`. Ours. */
export const commentQuerySchema = pageQuerySchema.extend({
  sort: z
    .enum(COMMENT_SORTS, { error: `must be one of ${COMMENT_SORTS.join(', ')}` })
    .default('top'),
  /** The number of levels in the answer. */
  depth: z
    .string()
    .regex(/^([1-9]|[1-4]\d|50)$/, {
      error: `must be a whole number from 1 to ${MOST_COMMENT_DEPTH}`,
    })
    .transform(Number)
    .default(8)
    .meta({ type: 'integer', minimum: 1, maximum: MOST_COMMENT_DEPTH, default: 8 }),
  /** Only what replies to this comment, without that comment itself. */
  under: idSchema.optional(),
});

/** The query of `GET /comments/<id>`: how many of the comments above it come with it. Ours. */
export const contextQuerySchema = z.object({
  context: z
    .string()
    .regex(/^(\d|[1-4]\d|50)$/, { error: `must be a whole number from 0 to ${MOST_COMMENT_DEPTH}` })
    .transform(Number)
    .default(0)
    .meta({ type: 'integer', minimum: 0, maximum: MOST_COMMENT_DEPTH, default: 0 }),
});

export type CommentedPost = z.infer<typeof commentedPostSchema>;
export type Comment = z.infer<typeof commentSchema>;
export type NewComment = z.infer<typeof newCommentSchema>;
export type CommentChange = z.infer<typeof commentChangeSchema>;
export type CommentQuery = z.output<typeof commentQuerySchema>;
