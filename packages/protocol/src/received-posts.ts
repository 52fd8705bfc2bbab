/** Lenient schemas for posts and comments. Clients load them when they need them. */
import { z } from 'zod';
import { channelMessageSchema } from './channel-messages.ts';
import { commentListSchema, commentSchema } from './comments.ts';
import { POST_EVENTS, WATCHED_POST_EVENTS } from './events/posts.ts';
import { lenient, lenientAll } from './lenient.ts';
import { lobbyMessageSchema } from './messages.ts';
import { pointRulesSchema, pointsSchema } from './points.ts';
import { pollSchema } from './polls.ts';
import { postListSchema, postSchema } from './posts.ts';
import { foundAnywhereSchema, searchFacetsSchema, type FoundAnywhere } from './found.ts';
import { FILES } from './received-messages.ts';
import type { SearchedKinds } from './search.ts';
import { votedSchema, voteListSchema } from './votes.ts';

const nonce = z.string().exactOptional();

/** A post as its author is answered, with the nonce that it was posted with. */
export const receivedPostOfChannel = lenient(postSchema, FILES).extend({ nonce });

/** A comment as its author is answered, with the nonce that it was posted with. */
export const receivedComment = lenient(commentSchema).extend({ nonce });

export const receivedPosts = lenient(postListSchema, FILES);
export const receivedComments = lenient(commentListSchema);
const anyMessages = lenient(z.array(z.union([channelMessageSchema, lobbyMessageSchema])), FILES);

/** The answers to a search for all kinds, and to one for each kind, in the same shape. */
export const RECEIVED_FOUND: Readonly<Record<SearchedKinds, z.ZodType<readonly FoundAnywhere[]>>> =
  {
    all: lenient(z.array(foundAnywhereSchema), FILES),
    messages: anyMessages.transform((found) =>
      found.map((message) => ({ kind: 'messages', id: message.id, message }) as const),
    ),
    posts: receivedPosts.transform((found) =>
      found.map((post) => ({ kind: 'posts', id: post.id, post }) as const),
    ),
    comments: receivedComments.transform((found) =>
      found.map((comment) => ({ kind: 'comments', id: comment.id, comment }) as const),
    ),
  };
/** The answer to `GET /search/facets`. */
export const receivedFacets = lenient(searchFacetsSchema);
export const receivedVotes = lenient(voteListSchema);
export const receivedVoted = lenient(votedSchema);
export const receivedPoll = lenient(pollSchema);
export const receivedPoints = lenient(pointsSchema);
export const receivedPointRules = lenient(pointRulesSchema);

/** A post, as a client reads it. */
export type ReceivedPost = z.infer<typeof receivedPostOfChannel>;

/** A comment, as a client reads it. */
export type ReceivedComment = z.infer<typeof receivedComment>;

/** Events about posts, in the streams of communities and channels. */
export const receivedPostEvent = z.discriminatedUnion('op', lenientAll(POST_EVENTS, FILES));

/** An event about posts, in the streams of communities and channels. */
export type ReceivedPostEvent = z.infer<typeof receivedPostEvent>;

/** Events that a client is sent of the posts that it watches. */
export const receivedWatchedPostEvent = z.discriminatedUnion('op', lenientAll(WATCHED_POST_EVENTS));

/** An event that a client is sent of the posts that it watches. */
export type ReceivedWatchedPostEvent = z.infer<typeof receivedWatchedPostEvent>;
