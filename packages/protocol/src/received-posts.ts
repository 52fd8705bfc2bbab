/**
 * Lenient schemas for posts and comments: names of later versions are ignored, and so is an entry of a list inside them that
 * cannot be understood. Clients load them when they need them.
 */
import { z } from 'zod';
import { attachedFileSchema } from './channel-messages.ts';
import { commentSchema } from './comments.ts';
import { embedSchema } from './embeds.ts';
import {
  commentCreateSchema,
  commentDeleteSchema,
  postDeleteSchema,
  scoreUpdateSchema,
} from './events/posts.ts';
import { pointRulesSchema, pointsSchema } from './points.ts';
import { pollSchema } from './polls.ts';
import { postSchema } from './posts.ts';
import { receivedFileData } from './received-messages.ts';
import { votedSchema, voteListSchema } from './votes.ts';

const receivedAttachment = z.intersection(receivedFileData, attachedFileSchema.pick({ alt: true }));

/** A post. What it says about files, previews and other posts is ignored if it cannot be understood. */
export const receivedPostOfChannel = postSchema.extend({
  attachments: listOf(receivedAttachment).exactOptional(),
  embeds: listOf(
    embedSchema.omit({ picture: true }).extend({ picture: receivedAttachment.exactOptional() }),
  ).exactOptional(),
  mention_posts: listOf(postSchema.shape.mention_posts.unwrap().element).exactOptional(),
  nonce: z.string().exactOptional(),
});

/** A comment. */
export const receivedComment = commentSchema.extend({
  mention_posts: listOf(commentSchema.shape.mention_posts.unwrap().element).exactOptional(),
  nonce: z.string().exactOptional(),
});

/** Pages; no entry is left out, because a page that is not full is the last one. */
export const receivedPosts = z.array(receivedPostOfChannel);
export const receivedComments = z.array(receivedComment);
export const receivedVotes = voteListSchema;

export const receivedVoted = votedSchema;
export const receivedPoll = pollSchema;
export const receivedPoints = pointsSchema;
export const receivedPointRules = pointRulesSchema;

/** A post, as a client reads it. */
export type ReceivedPost = z.infer<typeof receivedPostOfChannel>;

/** A comment, as a client reads it. */
export type ReceivedComment = z.infer<typeof receivedComment>;

/** What the streams of communities and channels have about posts. */
export const receivedPostEvent = z.discriminatedUnion('op', [
  z.object({ op: z.literal('POST_CREATE'), d: receivedPostOfChannel }),
  z.object({ op: z.literal('POST_UPDATE'), d: receivedPostOfChannel }),
  z.object({ op: z.literal('POST_DELETE'), d: postDeleteSchema.shape.d }),
]);

/** What the streams of communities and channels have about posts. */
export type ReceivedPostEvent = z.infer<typeof receivedPostEvent>;

/** What a client is sent of the posts that it watches. */
export const receivedWatchedPostEvent = z.discriminatedUnion('op', [
  commentCreateSchema.extend({
    d: receivedComment.extend(
      commentCreateSchema.shape.d.pick({ comment_count: true, parent_reply_count: true }).shape,
    ),
  }),
  z.object({ op: z.literal('COMMENT_UPDATE'), d: receivedComment }),
  commentDeleteSchema,
  scoreUpdateSchema,
]);

/** What a client is sent of the posts that it watches. */
export type ReceivedWatchedPostEvent = z.infer<typeof receivedWatchedPostEvent>;

/** A list, without the entries that cannot be understood. */
function listOf<Entry extends z.ZodType>(entry: Entry) {
  return z.array(z.unknown()).transform((given) =>
    given.flatMap((each): z.infer<Entry>[] => {
      const { data, success } = entry.safeParse(each);
      return success ? [data] : [];
    }),
  );
}
