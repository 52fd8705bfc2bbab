import { compareIds, type Id } from '@hearth/protocol';
import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';

/** Whose read state of which channel. */
export interface ReadPlace {
  readonly userId: Id;
  /** Empty outside of communities. */
  readonly communityId: Id | '';
  readonly channelId: Id;
}

/** A read state as it is stored. */
export interface StoredReadState extends ReadPlace {
  readonly lastReadId: Id;
}

/** A read state; undefined if the user has not opened the channel. */
export async function selectMark(db: Reader, place: ReadPlace): Promise<Id | undefined> {
  const row = await db
    .selectFrom('read_states')
    .select('last_read_id')
    .where('user_id', '=', place.userId)
    .where('community_id', '=', place.communityId)
    .where('channel_id', '=', place.channelId)
    .executeTakeFirst();
  return row && row.last_read_id;
}

/** The read states of users, in no order; those in one community if it is given. */
export async function selectReadStates(
  db: Reader,
  userIds: readonly Id[],
  communityId?: Id,
): Promise<readonly StoredReadState[]> {
  if (userIds.length === 0) return [];
  let query = db.selectFrom('read_states').selectAll().where('user_id', 'in', userIds);
  if (communityId !== undefined) query = query.where('community_id', '=', communityId);
  const rows = await query.execute();
  return rows.map((row) => ({
    userId: row.user_id,
    communityId: row.community_id,
    channelId: row.channel_id,
    lastReadId: row.last_read_id,
  }));
}

/**
 * Moves marks, forward unless `backToo` is set. Returns the channels whose marks have moved; these rows are locked until the
 * transaction ends.
 */
export async function moveMarks(
  db: Writer,
  marks: readonly StoredReadState[],
  { backToo = false }: { readonly backToo?: boolean } = {},
): Promise<ReadonlySet<Id>> {
  if (marks.length === 0) return new Set();
  const ordered = marks.toSorted((one, other) => compareIds(one.channelId, other.channelId));
  const rows = await db
    .insertInto('read_states')
    .values(
      ordered.map((mark) => ({
        user_id: mark.userId,
        community_id: mark.communityId,
        channel_id: mark.channelId,
        last_read_id: mark.lastReadId,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'community_id', 'channel_id'])
        .doUpdateSet((own) => ({ last_read_id: own.ref('excluded.last_read_id') }))
        .whereRef('read_states.last_read_id', backToo ? '!=' : '<', 'excluded.last_read_id'),
    )
    .returning('channel_id')
    .execute();
  return new Set(rows.map((row) => row.channel_id));
}

const SET_MARKS = `insert into read_states (user_id, community_id, channel_id, last_read_id)
  select user_id, community_id, channel_id, last_read_id from given where true
  on conflict (user_id, community_id, channel_id) do update set last_read_id = excluded.last_read_id`;

const MARKS = {
  user_id: 'text',
  community_id: 'text',
  channel_id: 'text',
  last_read_id: 'text',
} as const;

/**
 * Moves the marks of the authors of new messages to them, in the transaction that stores the messages and has locked the channels:
 * no mark is after them. Of several messages of one author in a channel, the last one counts. Clients do the same when they receive
 * a message, so nothing is sent.
 */
export async function markOwn(
  tx: Transaction,
  messages: readonly StoredReadState[],
): Promise<void> {
  const last = new Map(messages.map((each) => [`${each.channelId} ${each.userId}`, each]));
  const marks = [...last.values()].toSorted(
    (one, other) =>
      compareIds(one.userId, other.userId) || compareIds(one.channelId, other.channelId),
  );
  await tx.runMany({
    text: SET_MARKS,
    columns: MARKS,
    rows: marks.map((mark) => [mark.userId, mark.communityId, mark.channelId, mark.lastReadId]),
  });
}

/** Removes the read states of a user in a community, but for those of these channels. */
export async function deleteReadStates(
  db: Writer,
  { userId, communityId }: Pick<ReadPlace, 'userId' | 'communityId'>,
  kept: readonly Id[] = [],
): Promise<void> {
  let query = db
    .deleteFrom('read_states')
    .where('user_id', '=', userId)
    .where('community_id', '=', communityId);
  if (kept.length > 0) query = query.where('channel_id', 'not in', kept);
  await query.execute();
}

const DELETE_ALL = `delete from read_states
  where (user_id, community_id) in (select user_id, community_id from given)`;

/** Removes the read states of users in communities. */
export async function deleteReadStatesOf(
  tx: Transaction,
  places: readonly Pick<ReadPlace, 'userId' | 'communityId'>[],
): Promise<void> {
  await tx.runMany({
    text: DELETE_ALL,
    columns: { user_id: 'text', community_id: 'text' },
    rows: places.map(({ userId, communityId }) => [userId, communityId]),
  });
}
