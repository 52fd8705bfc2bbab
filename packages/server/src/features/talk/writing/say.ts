import { ServerError, type Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Writing, WriteWork } from '../../../ports/outbox/outbox.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import { IdTooLow, may, type Turning } from '../places/places.ts';
import type { Draft, Outcome, Write, WritingContext } from './entry.ts';

/** About how many bytes an entry takes while it waits, besides its texts. */
const DRAFT_BYTES = 1_000;

/** How often an entry is tried: each time with an id beyond the newest one, or for the place as it is by then. */
const MOST_TRIES = 5;

/** How somebody says something: a message, a post or a comment. */
export interface Saying<Own extends Draft, Acting extends Turning, Said> {
  /** Named by errors, such as `Posting a message`. */
  readonly operation: string;
  /** The id of what the nonce has written before, if it is looked up before the input is checked. */
  earlier?(): Promise<Id | undefined>;
  /** Who says it where. Throws what is wrong if they may not. */
  turning(): Acting | Promise<Acting>;
  draft(turning: Acting): Own | Promise<Own>;
  /** How many bytes it takes while it waits, besides its content. */
  bytes?(draft: Own): number;
  /** What it waits for. */
  subjects(draft: Own, turning: Acting): Writing['subjects'];
  /** Writes it, together with others. */
  readonly write: WriteWork<Write<Own>, Outcome<Said>>;
  /** Finds what the nonce has written before. */
  find(id: Id): Promise<Said>;
  /** Completes what was said with what may have been there before it. */
  complete?(said: Said): Said | Promise<Said>;
}

/**
 * Says something in a place. It resolves when it is stored, and everyone who sees the place is sent it. The same nonce of the same
 * person says it once in ten minutes; then this resolves with what it was the first time.
 */
export async function say<
  Own extends Draft,
  Acting extends Turning,
  Said extends { readonly created_at: number },
>(ctx: WritingContext, actor: Account, saying: Saying<Own, Acting, Said>): Promise<Said> {
  const admission = requireAdmission(ctx, actor, 'changing');
  if (admission !== undefined) await admission;
  const before = saying.earlier && (await saying.earlier());
  if (before !== undefined) return await saying.find(before);
  let turning = await saying.turning();
  let draft = await saying.draft(turning);
  let id = await ctx.ids.next();
  for (let count = 1; ; count += 1) {
    try {
      const call = { ctx, turning, draft, id };
      const waiting = waitingOf(saying, turning, draft);
      const outcome = await ctx.database.write(saying.write, call, waiting);
      if ('said' in outcome) {
        const { communityId } = turning.access.place;
        const noting = communityId && ctx.activity.note(communityId, outcome.said.created_at);
        if (noting) await noting;
        return saying.complete ? await saying.complete(outcome.said) : outcome.said;
      }
      if ('earlier' in outcome) return await saying.find(outcome.earlier);
      if (count === MOST_TRIES) throw new ServerError(saying.operation);
      turning = { ...turning, access: outcome.outdated };
      draft = await saying.draft(turning);
    } catch (error) {
      if (count === MOST_TRIES || !(error instanceof IdTooLow)) throw error;
      id = await ctx.ids.after(error.newest);
    }
  }
}

function waitingOf<Own extends Draft, Acting extends Turning>(
  saying: Pick<Saying<Own, Acting, unknown>, 'bytes' | 'subjects'>,
  turning: Acting,
  draft: Own,
): Writing {
  const { access } = turning;
  const { author, content, nonce } = draft;
  const more = saying.bytes?.(draft) ?? 0;
  const bytes = 2 * (content.length + nonce.length) + more + DRAFT_BYTES;
  const isUrgent = access.guard !== undefined && may(access, 'MANAGE_CONTENT');
  return { subjects: saying.subjects(draft, turning), caller: author.id, bytes, isUrgent };
}
