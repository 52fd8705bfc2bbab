import type { Id, NewPost, Post } from '@hearth/protocol';
import type { User } from '../../actor.ts';
import type { EmittingTransaction, Writing } from '../../ports/outbox/outbox.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { holdRules } from '../communities/hold-rules.ts';
import { keepCountedMentions } from '../messages/find-mentions.ts';
import { insertMentions } from '../messages/mention-store.ts';
import { may, requireMember } from '../messages/message-access.ts';
import { Outdated } from '../messages/outdated.ts';
import { slowDown } from '../messages/slow-down.ts';
import { subjectsOf } from '../messages/stored-message.ts';
import { accessNow, emitIn, IdTooLow, turningIn } from '../messages/turn.ts';
import type { Turning } from '../messages/turn.ts';
import { requireAdmission } from '../moderation/require-admission.ts';
import { claimNonce, correctNonce, findResult } from '../nonces/claim-nonce.ts';
import { notifyPeople } from '../notifications/notify-people.ts';
import { addPoll } from '../polls/add-poll.ts';
import { markOwn } from '../read-states/mark-own.ts';
import { holdIndexBelow } from '../search/hold-index.ts';
import { channelsOf, lockSource, takePlaces, writeElsewhere } from './elsewhere.ts';
import { findPost } from './find-post.ts';
import { requirePosting } from './post-access.ts';
import { draftOf, postOfDraft, type PostContents, type PostDraft } from './post-draft.ts';
import { attachToPost } from './post-files.ts';
import { postInEvents } from './post-in-events.ts';
import { showPreview } from './show-preview.ts';
import { insertPost, insertTags } from './store.ts';

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
  ctx: CommunityContext,
  actor: User,
  { channel_id: channelId, ...input }: NewPost & { readonly channel_id: Id },
): Promise<Post> {
  const read = () => ({ ...input, crosspostOf: '' as const });
  return await postOnce(ctx, actor, { channelId, nonce: input.nonce, read });
}

/** The same for what has to be read first. Throws also what `read` throws. */
export async function postOnce(
  ctx: CommunityContext,
  actor: User,
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
      const posting = { turning, draft, id };
      const writing = writingOf(posting);
      const posted = await ctx.database.writeAlone(writing, (tx) => write(tx, ctx, posting));
      if ('earlier' in posted) return await findPost(ctx, actor, { id: posted.earlier });
      const noting = ctx.activity.note(posted.post.community_id, draft.createdAtMs);
      if (noting !== undefined) await noting;
      ctx.posted.note(channelId);
      for (const { channelId: shown } of draft.elsewhere.cards) ctx.posted.note(shown);
      return await findPost(ctx, actor, { id: posted.post.id });
    } catch (error) {
      if (count === MOST_TRIES) throw error;
      if (error instanceof IdTooLow) id = await ctx.ids.after(error.newest);
      else if (error instanceof Outdated) {
        turning = { ...turning, access: error.access };
        draft = await draftOf(ctx, turning, given);
      } else throw error;
    }
  }
}

/**
 * The post that a nonce created. It is looked up before the input is checked, because what was valid then may not be so now.
 * Of requests at the same time, `claimNonce` lets one post.
 */
async function earlierPost(
  { database, clock }: CommunityContext,
  { user_id: userId }: User,
  { channelId, nonce = '' }: { readonly channelId: Id; readonly nonce: string | undefined },
): Promise<Id | undefined> {
  if (nonce === '') return undefined;
  const used = { place: channelId, userId, nonce, usedAtMs: clock.unixMs() };
  return await findResult(database.reader, used);
}

interface Posting {
  readonly turning: Turning;
  readonly draft: PostDraft;
  readonly id: Id;
}

/** How the post waits for its channel, and for those that it changes elsewhere. */
function writingOf({ turning, draft }: Posting): Writing {
  const { author, content, elsewhere } = draft;
  const bytes = 2 * content.length + DRAFT_BYTES;
  const isUrgent = may(turning.access, 'MANAGE_CONTENT');
  return { subjects: channelsOf(turning, elsewhere), caller: author.id, bytes, isUrgent };
}

/** What was posted, or the id of what was posted before with the same nonce. */
type Posted = { readonly post: Post } | { readonly earlier: Id };

async function write(
  tx: EmittingTransaction,
  ctx: CommunityContext,
  { turning, draft, id: drawn }: Posting,
): Promise<Posted> {
  const { nonce, author } = draft;
  const { id: channelId, communityId } = turning.access.channel;
  const used = { place: channelId, userId: author.id, nonce, usedAtMs: draft.createdAtMs };
  await holdIndexBelow(tx.sql, channelId, drawn);
  if (nonce !== '') {
    const first = await claimNonce(tx, { ...used, resultId: drawn });
    if (first !== drawn) return { earlier: first };
  }
  const { elsewhere } = draft;
  const { source } = elsewhere;
  // Who changes the rules locks channels of the community in any order.
  if (channelsOf(turning, elsewhere).length > 1) await holdRules(tx, communityId);
  const places = await takePlaces(tx, ctx, { turning: { ...turning, id: drawn }, elsewhere });
  if (source !== undefined && !(await lockSource(tx, source))) throw new Outdated(turning.access);
  const { turn } = places;
  const { id, access, createdAtMs } = turn;
  if (access.channel.version !== turning.access.channel.version) throw new Outdated(access);
  if (nonce !== '' && id !== drawn) await correctNonce(tx, { ...used, resultId: id });
  await slowDown(tx, access, { userId: author.id, nowMs: createdAtMs });
  const post = postOfDraft({ ...draft, createdAtMs }, access.channel, id);
  await attachToPost(tx, post);
  const stored = await tx.run(insertPost(post, requireMember(access)));
  if (stored === 0) throw new Outdated(await accessNow(tx.sql, ctx, turning));
  await insertTags(tx.sql, post, post.tagIds);
  const poll = draft.poll && (await addPoll(tx, post, draft.poll));
  await showPreview(tx, ctx, { post, access });
  const subjects = subjectsOf(post.mentions, communityId);
  if (subjects.size > 0) {
    await insertMentions(tx.sql, post, subjects);
    await keepCountedMentions(tx, channelId, [...subjects]);
  }
  await markOwn(tx, [{ userId: author.id, communityId, channelId, lastReadId: id }]);
  const polls = new Map(poll && [[id, poll]]);
  const links = new Map(draft.links && [[id, draft.links]]);
  const d = postInEvents(post, { ...draft.named, links, polls });
  await emitIn(tx, turn, { op: 'POST_CREATE', d: nonce === '' ? d : { ...d, nonce } });
  await writeElsewhere(tx, ctx, { turning, places, elsewhere, post, named: draft.named });
  const about = { id, postId: id, communityId, channelId, author, createdAtMs };
  const mentioned = post.mentions.users ?? [];
  if (mentioned.length > 0) {
    await notifyPeople(tx, ctx, [{ ...about, mentioned, repliedTo: undefined }]);
  }
  return { post: d };
}
