import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';
import { deleteAll } from '../../../ports/database/delete-after.ts';
import { readRowsIn } from '../../../ports/database/read-rows.ts';
import type { PollsTable } from './tables.ts';

export interface PollOption {
  readonly id: Id;
  readonly text: string;
  readonly votes: number;
}

export interface StoredPoll {
  readonly postId: Id;
  readonly channelId: Id;
  readonly options: readonly PollOption[];
  readonly isMultiple: boolean;
  readonly endsAtMs: number;
  readonly voters: number;
}

/** The choice of somebody in a poll, and its time. */
export interface PollChoice {
  readonly postId: Id;
  readonly channelId: Id;
  readonly options: readonly Id[];
  readonly votedAtMs: number;
}

const INSERT = `insert into polls (post_id, channel_id, options, multiple, ends_at_ms, voters)
  select post_id, channel_id, options, multiple, ends_at_ms, voters from given`;

export async function insertPolls(tx: Transaction, polls: readonly StoredPoll[]): Promise<void> {
  await tx.runMany({
    text: INSERT,
    columns: {
      post_id: 'text',
      channel_id: 'text',
      options: 'text',
      multiple: 'bigint',
      ends_at_ms: 'bigint',
      voters: 'bigint',
    },
    rows: polls.map((poll) => [
      poll.postId,
      poll.channelId,
      JSON.stringify(poll.options),
      Number(poll.isMultiple),
      poll.endsAtMs,
      poll.voters,
    ]),
  });
}

export async function selectPolls(
  db: Reader,
  postIds: readonly Id[],
): Promise<readonly StoredPoll[]> {
  const statement = { text: 'select * from polls where post_id in', values: [] };
  const rows = await readRowsIn<PollsTable>(db, statement, postIds);
  return rows.map(pollOf);
}

const LOCK = `select polls.* from given join polls on polls.post_id = given.post_id
  order by polls.post_id`;

/** The polls of those posts that have one; nobody else changes them until the transaction ends. */
export async function lockPolls(
  tx: Transaction,
  postIds: readonly Id[],
): Promise<ReadonlyMap<Id, StoredPoll>> {
  const rows = await tx.many<PollsTable>({
    text: LOCK,
    columns: { post_id: 'text' },
    rows: postIds.map((id) => [id]),
    locks: 'for update of polls',
  });
  return new Map(rows.map(pollOf).map((poll) => [poll.postId, poll]));
}

const UPDATE = `update polls set options = given.options, voters = given.voters
  from given where polls.post_id = given.post_id`;

/** Stores how many have chosen what in polls that are locked. */
export async function updatePolls(
  tx: Transaction,
  polls: readonly Pick<StoredPoll, 'postId' | 'options' | 'voters'>[],
): Promise<void> {
  await tx.runMany({
    text: UPDATE,
    columns: { post_id: 'text', options: 'text', voters: 'bigint' },
    rows: polls.map(({ postId, options, voters }) => {
      return [postId, JSON.stringify(options), voters];
    }),
  });
}

/** Reads what somebody has chosen in the polls of posts. */
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
    .where('post_id', 'in', postIds)
    .execute();
  return new Map(rows.map((row) => [row.post_id, idsIn(row.options)]));
}

export interface Choosing {
  readonly postId: Id;
  readonly userId: Id;
}

const BEFORE = `select v.post_id as "postId", v.user_id as "userId", v.options from given
  join poll_votes v on v.post_id = given.post_id and v.user_id = given.user_id`;
const DELETE = `delete from poll_votes
  where (post_id, user_id) in (select given.post_id, given.user_id from given)`;
const KEY = { post_id: 'text', user_id: 'text' } as const;

/** Reads what people have chosen in polls that are locked; those who have not chosen are left out. */
export async function selectChosen(
  tx: Transaction,
  choosing: readonly Choosing[],
): Promise<readonly (Choosing & Pick<PollChoice, 'options'>)[]> {
  type Row = Choosing & { readonly options: string };
  const rows = await tx.many<Row>({ text: BEFORE, columns: KEY, rows: choosing.map(keyOf) });
  return rows.map((row) => ({ ...row, options: idsIn(row.options) }));
}

const UPSERT = `insert into poll_votes (post_id, user_id, channel_id, options, voted_at_ms)
  select post_id, user_id, channel_id, options, voted_at_ms from given where true
  on conflict (post_id, user_id) do update set options = excluded.options, voted_at_ms = excluded.voted_at_ms`;

/** Stores what people have chosen, instead of what they chose before. */
export async function upsertChoices(
  tx: Transaction,
  choices: readonly (PollChoice & Choosing)[],
): Promise<void> {
  await tx.runMany({
    text: UPSERT,
    columns: { ...KEY, channel_id: 'text', options: 'text', voted_at_ms: 'bigint' },
    rows: choices.map((choice) => {
      const { channelId, options, votedAtMs } = choice;
      return [...keyOf(choice), channelId, JSON.stringify(options), votedAtMs];
    }),
  });
}

/** Deletes what people have chosen. */
export async function deleteChoices(tx: Transaction, choosing: readonly Choosing[]): Promise<void> {
  await tx.runMany({ text: DELETE, columns: KEY, rows: choosing.map(keyOf) });
}

function keyOf({ postId, userId }: Choosing): readonly [string, string] {
  return [postId, userId];
}

/** Reads what somebody has chosen in polls, in those of the oldest posts first. */
export async function selectChoicesAfter(
  db: Reader,
  userId: Id,
  { after, limit }: { readonly after: Id | undefined; readonly limit: number },
): Promise<readonly PollChoice[]> {
  let query = db
    .selectFrom('poll_votes')
    .select(['post_id as postId', 'channel_id as channelId', 'options'])
    .select('voted_at_ms as votedAtMs')
    .where('user_id', '=', userId);
  if (after !== undefined) query = query.where('post_id', '>', after);
  const rows = await query.orderBy('post_id').limit(limit).execute();
  return rows.map((row) => ({ ...row, options: idsIn(row.options) }));
}

/** The number of votes that are removed in one transaction. */
const VOTES_AT_ONCE = 1_000;

/** Removes the votes of the poll of a post that was deleted. It can be interrupted and repeated. */
export async function clearPoll(
  { database }: Pick<Context, 'database'>,
  { postId, signal }: { readonly postId: Id; readonly signal: AbortSignal },
): Promise<void> {
  const swept = { table: 'poll_votes', where: { post_id: postId }, order: ['user_id'] };
  await deleteAll(database, swept, { atOnce: VOTES_AT_ONCE, signal });
}

export async function deletePoll(db: Writer, postId: Id): Promise<void> {
  await db.deleteFrom('polls').where('post_id', '=', postId).execute();
}

function pollOf(row: PollsTable): StoredPoll {
  return {
    postId: row.post_id,
    channelId: row.channel_id,
    options: optionsIn(row.options),
    isMultiple: row.multiple > 0,
    endsAtMs: row.ends_at_ms,
    voters: row.voters,
  };
}

// Guarantee: what is stored was made above.
function optionsIn(text: string): readonly PollOption[] {
  return JSON.parse(text) as readonly PollOption[];
}

// Guarantee: what is stored was made above.
function idsIn(text: string): readonly Id[] {
  return JSON.parse(text) as readonly Id[];
}

/** Counts the choices of the next poll again, and corrects it if it was wrong. */
export async function recountPoll(
  db: Writer,
  after: Id,
): Promise<{ readonly last: Id | undefined; readonly wrong: number }> {
  const poll = await db
    .selectFrom('polls')
    .select(['post_id', 'options', 'voters'])
    .where('post_id', '>', after)
    .orderBy('post_id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (poll === undefined) return { last: undefined, wrong: 0 };
  const rows = await db
    .selectFrom('poll_votes')
    .select((own) => ['options', own.fn.countAll<number>().as('count')])
    .where('post_id', '=', poll.post_id)
    .groupBy('options')
    .execute();
  const choices = rows.map(({ options, count }) => ({ chosen: idsIn(options), count }));
  const voters = choices.reduce((sum, { count }) => sum + count, 0);
  const before = optionsIn(poll.options);
  const options = JSON.stringify(
    before.map((option) => {
      const chose = choices.filter(({ chosen }) => chosen.includes(option.id));
      return { ...option, votes: chose.reduce((sum, { count }) => sum + count, 0) };
    }),
  );
  const isRight = options === poll.options && voters === poll.voters;
  if (!isRight) {
    const right = { options, voters };
    await db.updateTable('polls').set(right).where('post_id', '=', poll.post_id).execute();
  }
  return { last: poll.post_id, wrong: Number(!isRight) };
}
