import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../ports/database/database.ts';
import { readRowsIn } from '../../ports/database/read-rows.ts';
import { idIn, sortable } from '../../ports/database/sortable-id.ts';
import { storedId } from '../../ports/database/stored-id.ts';
import type { PollsTable } from './tables.ts';

/** What can be chosen in a poll. */
export interface PollOption {
  readonly id: Id;
  readonly text: string;
  readonly votes: number;
}

/** A poll as it is stored. */
export interface StoredPoll {
  readonly postId: Id;
  readonly channelId: Id;
  readonly options: readonly PollOption[];
  readonly isMultiple: boolean;
  readonly endsAtMs: number;
  readonly voters: number;
}

/** What somebody has chosen in a poll, and when. */
export interface PollChoice {
  readonly postId: Id;
  readonly channelId: Id;
  readonly options: readonly Id[];
  readonly votedAtMs: number;
}

/** Stores a new poll. */
export async function insertPoll(db: Writer, poll: StoredPoll): Promise<void> {
  await db
    .insertInto('polls')
    .values({
      post_id: sortable(poll.postId),
      channel_id: poll.channelId,
      options: JSON.stringify(poll.options),
      multiple: Number(poll.isMultiple),
      ends_at_ms: poll.endsAtMs,
      voters: poll.voters,
    })
    .execute();
}

/** The polls of posts. */
export async function selectPolls(
  db: Reader,
  postIds: readonly Id[],
): Promise<readonly StoredPoll[]> {
  const statement = { text: 'select * from polls where post_id in', values: [] };
  const rows = await readRowsIn<PollsTable>(db, statement, postIds.map(sortable));
  return rows.map(pollOf);
}

/** The poll of a post; nobody else changes it until the transaction ends. */
export async function lockPoll(db: Writer, postId: Id): Promise<StoredPoll | undefined> {
  const row = await db
    .selectFrom('polls')
    .selectAll()
    .where('post_id', '=', sortable(postId))
    .forUpdate()
    .executeTakeFirst();
  return row && pollOf(row);
}

/** Stores how many have chosen what in a poll that is locked. */
export async function updatePoll(
  db: Writer,
  { postId, options, voters }: Pick<StoredPoll, 'postId' | 'options' | 'voters'>,
): Promise<void> {
  await db
    .updateTable('polls')
    .set({ options: JSON.stringify(options), voters })
    .where('post_id', '=', sortable(postId))
    .execute();
}

/** What somebody has chosen in the polls of posts. */
export async function selectChoices(
  db: Reader,
  userId: Id,
  postIds: readonly Id[],
): Promise<ReadonlyMap<Id, readonly Id[]>> {
  if (postIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('poll_votes')
    .select(['post_id', 'options'])
    .where('user_id', '=', userId)
    .where('post_id', 'in', postIds.map(sortable))
    .execute();
  return new Map(rows.map((row) => [idIn(row.post_id), idsIn(row.options)]));
}

/** Stores what somebody has chosen, instead of what they chose before. */
export async function upsertChoice(
  db: Writer,
  userId: Id,
  { postId, channelId, options, votedAtMs }: PollChoice,
): Promise<void> {
  const chosen = { options: JSON.stringify(options), voted_at_ms: votedAtMs };
  await db
    .insertInto('poll_votes')
    .values({ post_id: sortable(postId), user_id: userId, channel_id: channelId, ...chosen })
    .onConflict((conflict) => conflict.columns(['post_id', 'user_id']).doUpdateSet(chosen))
    .execute();
}

/** Deletes what somebody has chosen. */
export async function deleteChoice(db: Writer, userId: Id, postId: Id): Promise<void> {
  await db
    .deleteFrom('poll_votes')
    .where('post_id', '=', sortable(postId))
    .where('user_id', '=', userId)
    .execute();
}

/** What somebody has chosen in polls, in those of the oldest posts first. */
export async function selectChoicesAfter(
  db: Reader,
  userId: Id,
  { after, limit }: { readonly after: Id | undefined; readonly limit: number },
): Promise<readonly PollChoice[]> {
  let query = db.selectFrom('poll_votes').selectAll().where('user_id', '=', userId);
  if (after !== undefined) query = query.where('post_id', '>', sortable(after));
  const rows = await query.orderBy('post_id').limit(limit).execute();
  return rows.map((row) => ({
    postId: idIn(row.post_id),
    channelId: storedId(row.channel_id),
    options: idsIn(row.options),
    votedAtMs: Number(row.voted_at_ms),
  }));
}

/** Deletes at most so many votes of a poll. Returns how many there were. */
export async function deleteChoices(db: Writer, postId: Id, limit: number): Promise<number> {
  const some = db
    .selectFrom('poll_votes')
    .select('user_id')
    .where('post_id', '=', sortable(postId))
    .limit(limit);
  const rows = await db
    .deleteFrom('poll_votes')
    .where('post_id', '=', sortable(postId))
    .where('user_id', 'in', some)
    .returning('user_id')
    .execute();
  return rows.length;
}

/** Deletes a poll. */
export async function deletePoll(db: Writer, postId: Id): Promise<void> {
  await db.deleteFrom('polls').where('post_id', '=', sortable(postId)).execute();
}

function pollOf(row: PollsTable): StoredPoll {
  return {
    postId: idIn(row.post_id),
    channelId: storedId(row.channel_id),
    // Guarantee: what is stored was made above.
    options: JSON.parse(row.options) as readonly PollOption[],
    isMultiple: Number(row.multiple) > 0,
    endsAtMs: Number(row.ends_at_ms),
    voters: Number(row.voters),
  };
}

// Guarantee: what is stored was made above.
function idsIn(text: string): readonly Id[] {
  return JSON.parse(text) as readonly Id[];
}
