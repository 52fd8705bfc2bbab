import { ValidationError, type Id, type NewPoll, type Poll } from '@hearth/protocol';
import { POLL_DURATION_MS } from '@hearth/protocol/schemas';
import type { Transaction } from '../../../ports/database/database.ts';
import { storedId } from '../../../ports/database/stored-id.ts';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { insertPolls, selectChoices, selectPolls, type StoredPoll } from './store.ts';

/** The polls of those posts that have one, as the caller sees them. */
export async function describePolls(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  actor: Actor,
  postIds: readonly Id[],
): Promise<ReadonlyMap<Id, Poll>> {
  const polls = await selectPolls(database.reader, postIds);
  const ids = polls.map(({ postId }) => postId);
  const isUser = actor.kind === 'account';
  const own = isUser ? await selectChoices(database.reader, actor.user_id, ids) : new Map();
  const nowMs = clock.unixMs();
  return new Map(
    polls.map((poll) => [poll.postId, describePoll(poll, { chosen: own.get(poll.postId), nowMs })]),
  );
}

/** A poll as it is shown to somebody who has chosen these options, if any. */
export function describePoll(
  { options, isMultiple, endsAtMs }: StoredPoll,
  { chosen, nowMs }: { readonly chosen: readonly Id[] | undefined; readonly nowMs: number },
): Poll {
  const isShown = chosen !== undefined || nowMs >= endsAtMs;
  return {
    options: options.map(({ id, text, votes }) => ({ id, text, ...(isShown && { votes }) })),
    ...(isMultiple && { multiple: true }),
    ends_at: endsAtMs,
    ...(chosen !== undefined && { my_votes: [...chosen] }),
  };
}

/** Throws ValidationError for a poll that would end too soon, or too late. */
export function requireEnd({ ends_at: endsAtMs }: NewPoll, nowMs: number): void {
  const { min, max } = POLL_DURATION_MS;
  if (endsAtMs >= nowMs + min && endsAtMs <= nowMs + max) return;
  throw new ValidationError('poll', 'must end between a minute and 366 days from now');
}

/** A poll of a post that the transaction stores. */
export interface PollOf {
  readonly post: { readonly id: Id; readonly channelId: Id };
  readonly poll: NewPoll;
}

/** Adds polls to posts. Returns them as others see them, by the ids of the posts. */
export async function addPolls(
  tx: Transaction,
  polls: readonly PollOf[],
): Promise<ReadonlyMap<Id, Poll>> {
  const stored = polls.map(({ post: { id: postId, channelId }, poll }) => ({
    postId,
    channelId,
    options: poll.options.map((text, at) => ({ id: storedId(String(at + 1)), text, votes: 0 })),
    isMultiple: poll.multiple === true,
    endsAtMs: poll.ends_at,
    voters: 0,
  }));
  if (stored.length > 0) await insertPolls(tx, stored);
  return new Map(
    stored.map((poll) => [poll.postId, describePoll(poll, { chosen: undefined, nowMs: 0 })]),
  );
}
