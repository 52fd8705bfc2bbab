import type { Id, NewPost, Post } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { AccessContext } from '../../communities/structure/structure.ts';
import { turningInChannel } from '../../talk/places/places.ts';
import { findResult } from '../../platform/nonces/nonces.ts';
import { say, type WritingContext } from '../../talk/writing/writing.ts';
import { channelsOf } from './elsewhere.ts';
import { findPost } from './complete-posts.ts';
import { requirePosting } from './post-access.ts';
import { draftOf, type PostContents } from './post-draft.ts';
import { writePosts } from './write-posts.ts';
import type { PostsContext } from './posts-context.ts';

export interface PostingContext extends AccessContext, PostsContext, WritingContext {}

/** The channel in which something is posted, and a function that reads what, unless the nonce has posted it before. */
export interface PostingOnce {
  readonly channelId: Id;
  readonly nonce: string | undefined;
  readonly read: () => Promise<PostContents> | PostContents;
}

/**
 * Posts to a channel with posts. It resolves when the post is stored, and everyone who sees the channel is sent it. The same
 * nonce of the same person posts once in ten minutes; then this resolves with the post of the first time. Throws
 * NotFoundError if the caller may not know that the channel exists, or if the post of a repeated nonce was deleted,
 * ForbiddenError, RateLimitedError in slow mode, and ValidationError.
 */
export async function createPost(
  ctx: PostingContext,
  actor: Account,
  { channel_id: channelId, ...input }: NewPost & { readonly channel_id: Id },
): Promise<Post> {
  const read = () => ({ ...input, crosspostOf: '' as const });
  return await postOnce(ctx, actor, { channelId, nonce: input.nonce, read });
}

/** Posts what has to be read first. Throws also what `read` throws. */
export function postOnce(
  ctx: PostingContext,
  actor: Account,
  { channelId, nonce, read }: PostingOnce,
): Promise<Post> {
  return say(ctx, actor, {
    operation: 'Posting',
    earlier: () => earlierPost(ctx, actor, { channelId, nonce }),
    async turning() {
      const given = await read();
      return {
        ...(await turningInChannel(ctx, actor, { channelId, requires: requirePosting(ctx) })),
        given,
      };
    },
    draft: (turning) => draftOf(ctx, turning, turning.given),
    bytes: ({ title, url }) => 2 * (title.length + url.length),
    subjects: ({ elsewhere }, turning) => channelsOf(turning, elsewhere),
    write: writePosts,
    find: (id) => findPost(ctx, actor, { id }),
    // Of an address, there may be a preview already.
    complete: (post) => (post.url === undefined ? post : findPost(ctx, actor, post)),
  });
}

/**
 * The post that a nonce created. It is looked up before the input is checked, because what was valid then may not be so now.
 * Of requests at the same time, `claimNonce` lets one post.
 */
async function earlierPost(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  { user_id: userId }: Account,
  { channelId, nonce = '' }: { readonly channelId: Id; readonly nonce: string | undefined },
): Promise<Id | undefined> {
  if (nonce === '') return undefined;
  const used = { place: channelId, userId, nonce, usedAtMs: clock.unixMs() };
  return await findResult(database.reader, used);
}
