import { ValidationError, type Id, type NewPoll, type Poll } from '@hearth/protocol';
import { POLL_DURATION_MS } from '@hearth/protocol/schemas';
import type { Transaction } from '../../ports/database/database.ts';
import { storedId } from '../../ports/database/stored-id.ts';
import { describePoll } from './describe-polls.ts';
import { insertPoll } from './store.ts';

/** Throws ValidationError for a poll that would end too soon, or too late. */
export function requireEnd({ ends_at: endsAtMs }: NewPoll, nowMs: number): void {
  const { min, max } = POLL_DURATION_MS;
  if (endsAtMs >= nowMs + min && endsAtMs <= nowMs + max) return;
  throw new ValidationError('poll', 'must end between a minute and 366 days from now');
}

/** Adds a poll to a post that the transaction stores. Returns it as others see it. */
export async function addPoll(
  { sql }: Transaction,
  { id: postId, channelId }: { readonly id: Id; readonly channelId: Id },
  poll: NewPoll,
): Promise<Poll> {
  const stored = {
    postId,
    channelId,
    options: poll.options.map((text, at) => ({ id: storedId(String(at + 1)), text, votes: 0 })),
    isMultiple: poll.multiple === true,
    endsAtMs: poll.ends_at,
    voters: 0,
  };
  await insertPoll(sql, stored);
  return describePoll(stored, { chosen: undefined, nowMs: 0 });
}
