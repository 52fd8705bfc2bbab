import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import {
  deleteChoices,
  selectChosen,
  updatePolls,
  upsertChoices,
  type Choosing,
  type StoredPoll,
} from './store.ts';

/** What somebody chooses in a poll that is locked, instead of what they chose before. */
export interface Choice extends Choosing {
  readonly options: readonly Id[];
}

/** Stores and counts choices, as if they were made one after another. Returns the poll right after each of them. */
export async function storeChoices(
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
