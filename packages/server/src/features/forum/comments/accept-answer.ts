import {
  ConflictError,
  NotFoundError,
  ValidationError,
  type AcceptedInput,
  type Id,
  type Post,
} from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { audit, beginEntry } from '../../communities/audit/audit.ts';
import {
  keepCommunity,
  type AccessContext,
  type ChannelAccess,
} from '../../communities/structure/structure.ts';
import {
  channelPlace,
  emitIn,
  takeTurn,
  type ChannelPlace,
  type Turning,
} from '../../talk/places/places.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import { giveForAnswer, takeForAnswer } from '../points/points.ts';
import {
  accessToPost,
  asRead,
  findPost,
  lockAsRead,
  namedInEvents,
  postInEvents,
  requireAuthorOrModerator,
  setAccepted,
  type PostsContext,
  type StoredPost,
} from '../posts/posts.ts';
import { lockComment } from './store.ts';

/**
 * Accepts a comment as the answer to a question, or none. The author of the post may, and members with MANAGE_CONTENT, which is noted
 * in the audit log. Throws NotFoundError, ForbiddenError, ValidationError for a comment of another post, and ConflictError
 * outside channels of questions.
 */
export async function acceptAnswer(
  ctx: AccessContext & PostsContext,
  actor: Account,
  { id, comment_id: commentId }: AcceptedInput & { readonly id: Id },
): Promise<Post> {
  await requireAdmission(ctx, actor, 'changing');
  const seen = await accessToPost(ctx, actor, id);
  const mayAccept = requireAuthorOrModerator(ctx, actor.user_id, seen.post);
  const requires = (access: ChannelAccess) => {
    mayAccept(access);
    requireQuestions(access);
  };
  requires(seen);
  const turning = { actor, access: channelPlace(seen), requires };
  const accepted: Id | '' = commentId ?? '';
  await asRead(seen.post, (known) => accept(ctx, known, { turning, accepted }));
  return await findPost(ctx, actor, { id });
}

interface Accepting {
  readonly turning: Turning<ChannelPlace>;
  readonly accepted: Id | '';
}

async function accept(
  ctx: PostsContext,
  known: StoredPost | undefined,
  { turning, accepted }: Accepting,
): Promise<void> {
  if (known === undefined) throw new NotFoundError();
  // The number of an event is only taken for something that changes.
  if (known.acceptedCommentId === accepted) return;
  const named = await namedInEvents(ctx, [known]);
  const ledgerIds = { taken: await ctx.ids.next(), given: await ctx.ids.next() };
  const { actor } = turning;
  const entry = await beginEntry(ctx, actor, known.communityId);
  await ctx.database.transaction(async (tx) => {
    if (known.userId !== actor.user_id) await keepCommunity(tx, known.communityId);
    const turn = await takeTurn(tx, ctx, turning);
    const post = await lockAsRead(tx, known);
    await give(tx, post, { accepted, ledgerIds, nowMs: ctx.clock.unixMs() });
    const changed: StoredPost = { ...post, acceptedCommentId: accepted, version: post.version + 1 };
    await setAccepted(tx.sql, post.id, accepted);
    if (post.userId !== actor.user_id) {
      const target = { kind: 'post', id: post.id, name: post.title } as const;
      const { channel } = turn.access;
      await audit(tx, entry, { action: 'answer_accept', target, channel });
    }
    await emitIn(tx, turn, { op: 'POST_UPDATE', d: postInEvents(changed, named) });
  });
}

/** Takes back what the former answer gave, and gives for the new one. */
async function give(
  tx: EmittingTransaction,
  { id: postId, userId: askedBy, communityId, acceptedCommentId: former }: StoredPost,
  {
    accepted,
    ledgerIds,
    nowMs,
  }: {
    readonly accepted: Id | '';
    readonly ledgerIds: { readonly taken: Id; readonly given: Id };
    readonly nowMs: number;
  },
): Promise<void> {
  const [answer, before] = [await answerIn(tx, accepted), await answerIn(tx, former)];
  if (accepted !== '' && answer?.postId !== postId) {
    throw new ValidationError('comment_id', 'must be the id of a comment on the post');
  }
  const about = { communityId, nowMs };
  if (before !== undefined) {
    const { id: commentId, userId: answeredBy } = before;
    await takeForAnswer(tx, { ...about, id: ledgerIds.taken, answeredBy, commentId });
  }
  if (answer !== undefined) {
    const { id: commentId, userId: answeredBy } = answer;
    await giveForAnswer(tx, { ...about, id: ledgerIds.given, askedBy, answeredBy, commentId });
  }
}

/** A comment that is there, and locked. */
async function answerIn({ sql }: EmittingTransaction, id: Id | '') {
  const comment = id === '' ? undefined : await lockComment(sql, id);
  if (comment === undefined || comment.userId === '') return undefined;
  return { id: comment.id, postId: comment.postId, userId: comment.userId };
}

function requireQuestions({ channel: { postSettings } }: ChannelAccess): void {
  if (postSettings.questions !== true) {
    throw new ConflictError({ code: 'not_questions', field_name: 'comment_id' });
  }
}
