import type { Id, Poll } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { selectChoices, selectPolls } from './store.ts';
import type { StoredPoll } from './stored-poll.ts';

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
