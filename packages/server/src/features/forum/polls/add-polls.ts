import { ValidationError, type Id, type NewPoll, type Poll } from '@hearth/protocol';
import { POLL_DURATION_MS } from '@hearth/protocol/schemas';
import type { Transaction } from '../../../ports/database/database.ts';
import { storedId } from '../../../ports/database/stored-id.ts';
import { describePoll } from './describe-polls.ts';
import { insertPolls } from './store.ts';

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
