import { ServerError, type Id, type NewPost, type Post } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Writing } from '../../../ports/outbox/outbox.ts';
import type { AccessContext } from '../../communities/structure/structure.ts';
import type { KeepsActivity } from '../../communities/communities/communities.ts';
import { IdTooLow, type Turning, may, turningIn } from '../../talk/places/places.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import { findResult } from '../../platform/nonces/nonces.ts';
import type { KeepsUnsentNotifications } from '../../talk/notifications/notifications.ts';
import type { HasIndexes, KeepsPosted } from '../../talk/index-queue/index-queue.ts';
import { channelsOf } from './elsewhere.ts';
import { findPost } from './find-post.ts';
import { requirePosting } from './post-access.ts';
import { draftOf, type PostContents, type PostDraft } from './post-draft.ts';
import { writePosts } from './write-posts.ts';
import type { PostsContext } from './posts-context.ts';

/** About how many bytes a post takes while it waits, besides its text. */
const DRAFT_BYTES = 1_000;

/** How often a post is tried: each time with an id beyond the newest post, or for the channel as it is by then. */
const MOST_TRIES = 5;

/** Where something is posted, and a function that reads what, unless the nonce has posted it before. */
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
  ctx: AccessContext &
    HasIndexes &
    KeepsActivity &
    KeepsPosted &
    KeepsUnsentNotifications &
    PostsContext,
  actor: Account,
  { channel_id: channelId, ...input }: NewPost & { readonly channel_id: Id },
): Promise<Post> {
  const read = () => ({ ...input, crosspostOf: '' as const });
  return await postOnce(ctx, actor, { channelId, nonce: input.nonce, read });
}

/** The same for what has to be read first. Throws also what `read` throws. */
export async function postOnce(
  ctx: AccessContext &
    HasIndexes &
    KeepsActivity &
    KeepsPosted &
    KeepsUnsentNotifications &
    PostsContext,
  actor: Account,
  { channelId, nonce, read }: PostingOnce,
): Promise<Post> {
  await requireAdmission(ctx, actor, 'changing');
  const earlier = await earlierPost(ctx, actor, { channelId, nonce });
  if (earlier !== undefined) return await findPost(ctx, actor, { id: earlier });
  const given = await read();
  let turning = await turningIn(ctx, actor, { channelId, requires: requirePosting(ctx) });
  let draft = await draftOf(ctx, turning, given);
  let id = await ctx.ids.next();
  for (let count = 1; ; count += 1) {
    try {
      const write = { ctx, turning, draft, id };
      const posted = await ctx.database.write(writePosts, write, writingOf(turning, draft));
      if ('post' in posted) return await noted(ctx, actor, { post: posted.post, draft });
      if ('earlier' in posted) return await findPost(ctx, actor, { id: posted.earlier });
      if (count === MOST_TRIES) throw new ServerError('Posting');
      turning = { ...turning, access: posted.outdated };
      draft = await draftOf(ctx, turning, given);
    } catch (error) {
      if (count === MOST_TRIES || !(error instanceof IdTooLow)) throw error;
      id = await ctx.ids.after(error.newest);
    }
  }
}

/** Its channel, and the channels that it changes elsewhere. */
function writingOf(turning: Turning, { author, title, content, elsewhere }: PostDraft): Writing {
  const bytes = 2 * (title.length + content.length) + DRAFT_BYTES;
  const isUrgent = may(turning.access, 'MANAGE_CONTENT');
  return { subjects: channelsOf(turning, elsewhere), caller: author.id, bytes, isUrgent };
}

async function noted(
  ctx: AccessContext & KeepsActivity & KeepsPosted & PostsContext,
  actor: Account,
  { post, draft }: { readonly post: Post; readonly draft: PostDraft },
): Promise<Post> {
  const { cards } = draft.elsewhere;
  for (const id of [post.channel_id, ...cards.map(({ channelId }) => channelId)]) {
    ctx.posted.note(id);
  }
  const noting = ctx.activity.note(post.community_id, post.created_at);
  if (noting !== undefined) await noting;
  // Of an address, there may be a preview already.
  return post.url === undefined ? post : await findPost(ctx, actor, post);
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
