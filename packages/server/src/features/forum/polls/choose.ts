import { ConflictError, NotFoundError, ValidationError, type Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { dropOut } from '../../../ports/outbox/outbox.ts';
import {
  deleteChoices,
  lockPolls,
  selectChosen,
  updatePolls,
  upsertChoices,
  type Choosing,
  type StoredPoll,
} from './store.ts';

/** The options that somebody chooses in a poll that is locked, instead of those that they chose before. */
export interface Choice extends Choosing {
  readonly options: readonly Id[];
}

/** When choices are made, and why one is refused whatever the poll is; undefined if it is not. */
export interface Choosable {
  readonly nowMs: number;
  readonly refusalOf: (choice: Choice, at: number) => unknown;
}

/**
 * Makes choices, as if they were made one after another. Returns the poll right after each. What is refused drops out: with
 * `refusalOf`, NotFoundError, ValidationError for `option_ids`, or ConflictError after the end.
 */
export async function choose(
  tx: Transaction,
  choices: readonly Choice[],
  { nowMs, refusalOf }: Choosable,
): Promise<readonly StoredPoll[]> {
  const polls = await lockPolls(tx, [...new Set(choices.map(({ postId }) => postId))]);
  dropOut(
    choices.flatMap((choice, at) => {
      const { postId, options } = choice;
      const error = refusalOf(choice, at) ?? refusalIn(polls.get(postId), options, nowMs);
      return error === undefined ? [] : [[at, { error }] as const];
    }),
  );
  return await storeChoices(tx, choices, { polls, nowMs });
}

export async function takeBackChoice(
  tx: Transaction,
  { userId, postId }: { readonly userId: Id; readonly postId: Id },
): Promise<void> {
  const polls = await lockPolls(tx, [postId]);
  if (polls.has(postId)) {
    await storeChoices(tx, [{ userId, postId, options: [] }], { polls, nowMs: 0 });
  } else await deleteChoices(tx, [{ userId, postId }]);
}

/** Why nobody can choose this in a poll; undefined if somebody can. */
function refusalIn(
  poll: StoredPoll | undefined,
  chosen: readonly Id[],
  nowMs: number,
): Error | undefined {
  if (poll === undefined) return new NotFoundError();
  const field = 'option_ids';
  if (nowMs >= poll.endsAtMs) return new ConflictError({ code: 'poll_ended', field_name: field });
  if (chosen.length > 1 && !poll.isMultiple)
    return new ValidationError(field, 'must be at most one');
  const known = new Set(poll.options.map(({ id }) => id));
  if (chosen.every((id) => known.has(id))) return undefined;
  return new ValidationError(field, 'must be the ids of options of the poll');
}

async function storeChoices(
  tx: Transaction,
  choices: readonly Choice[],
  { polls, nowMs }: { readonly polls: ReadonlyMap<Id, StoredPoll>; readonly nowMs: number },
): Promise<readonly StoredPoll[]> {
  const asked = new Map(choices.map((choice) => [keyOf(choice), choice]));
  const chosen = new Map<string, readonly Id[]>();
  for (const each of await selectChosen(tx, [...asked.values()])) {
    chosen.set(keyOf(each), each.options);
  }
  const counted = new Map(polls);
  const changed = new Map<string, Choice>();
  const after = choices.map((choice) => {
    const poll = counted.get(choice.postId);
    if (poll === undefined) throw new TypeError('a poll is not locked');
    const before = chosen.get(keyOf(choice)) ?? [];
    if (new Set(before).symmetricDifference(new Set(choice.options)).size === 0) return poll;
    const now = withChoice(poll, before, choice.options);
    counted.set(poll.postId, now);
    chosen.set(keyOf(choice), choice.options);
    changed.set(keyOf(choice), choice);
    return now;
  });
  await store(tx, [...changed.values()], { polls: counted, nowMs });
  return after;
}

async function store(
  tx: Transaction,
  choices: readonly Choice[],
  { polls, nowMs }: { readonly polls: ReadonlyMap<Id, StoredPoll>; readonly nowMs: number },
): Promise<void> {
  await deleteChoices(
    tx,
    choices.filter(({ options }) => options.length === 0),
  );
  await upsertChoices(
    tx,
    choices.flatMap((choice) => {
      const poll = polls.get(choice.postId);
      if (poll === undefined || choice.options.length === 0) return [];
      return [{ ...choice, channelId: poll.channelId, votedAtMs: nowMs }];
    }),
  );
  const ids = new Set(choices.map(({ postId }) => postId));
  await updatePolls(
    tx,
    [...polls.values()].filter(({ postId }) => ids.has(postId)),
  );
}

/** A poll after somebody has chosen other options than before. */
function withChoice(poll: StoredPoll, before: readonly Id[], now: readonly Id[]): StoredPoll {
  const options = poll.options.map((option) => {
    const { id, votes } = option;
    return { ...option, votes: votes + Number(now.includes(id)) - Number(before.includes(id)) };
  });
  const voters = poll.voters + Number(now.length > 0) - Number(before.length > 0);
  return { ...poll, options, voters };
}

function keyOf({ postId, userId }: Choosing): string {
  return `${postId} ${userId}`;
}
