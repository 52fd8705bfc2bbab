import { ConflictError, NotFoundError, ValidationError, type Id } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import { dropOut, type EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { holdAccesses, type Acting } from '../structure/hold-accesses.ts';
import { holdPosts, requireOpen } from './voting-access.ts';
import { storeChoices, type Choice } from '../polls/store-choices.ts';
import { lockPolls, type StoredPoll } from '../polls/store.ts';

/** A choice that is to be written. */
export interface ChoiceWrite extends Pick<Choice, 'postId' | 'options'> {
  readonly ctx: Pick<Context, 'clock'>;
  readonly acting: Acting;
}

/**
 * Writes choices in the polls of any posts in one transaction, as if they came one after another in the order of the list. Returns
 * the poll right after each. What drops out is refused with UnauthorizedError, NotFoundError, ForbiddenError, ValidationError for
 * `option_ids`, or ConflictError after the end.
 */
export async function writeChoices(
  tx: EmittingTransaction,
  writes: readonly ChoiceWrite[],
): Promise<readonly StoredPoll[]> {
  const [first] = writes;
  if (first === undefined) return [];
  const { ctx } = first;
  const nowMs = ctx.clock.unixMs();
  const all = writes.map(({ acting }) => acting);
  const { held } = await holdAccesses(tx, ctx, { all, locks: 'everyone' });
  const postIds = [...new Set(writes.map(({ postId }) => postId))];
  const posts = await holdPosts(tx, postIds);
  const polls = await lockPolls(tx, postIds);
  const refusalOf = ({ postId, options }: ChoiceWrite, at: number): unknown => {
    const own = held[at];
    if (own !== undefined && 'error' in own) return own.error;
    const [post, poll] = [posts.get(postId), polls.get(postId)];
    try {
      if (post === undefined) throw new NotFoundError();
      requireOpen(post);
      if (poll === undefined) throw new NotFoundError();
      requireChoice(poll, options, nowMs);
      return undefined;
    } catch (error) {
      return error;
    }
  };
  dropOut(
    writes.flatMap((write, at) => {
      const error = refusalOf(write, at);
      return error === undefined ? [] : [[at, { error }] as const];
    }),
  );
  const choices = writes.map(({ acting, postId, options }) => {
    return { userId: acting.actor.user_id, postId, options };
  });
  return await storeChoices(tx, choices, { polls, nowMs });
}

function requireChoice(
  { endsAtMs, isMultiple, options }: StoredPoll,
  chosen: readonly Id[],
  nowMs: number,
): void {
  if (nowMs >= endsAtMs) {
    throw new ConflictError({ code: 'poll_ended', field_name: 'option_ids' });
  }
  if (chosen.length > 1 && !isMultiple) {
    throw new ValidationError('option_ids', 'must be at most one');
  }
  const known = new Set(options.map(({ id }) => id));
  if (chosen.every((id) => known.has(id))) return;
  throw new ValidationError('option_ids', 'must be the ids of options of the poll');
}
