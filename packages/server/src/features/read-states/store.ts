import type { Id } from '@hearth/protocol';
import type { Reader, Statement, Writer } from '../../ports/database/database.ts';
import { idIn, sortable } from '../../ports/database/sortable-id.ts';
import { storedId } from '../../ports/database/stored-id.ts';

/** Whose read state of which channel. */
export interface ReadPlace {
  readonly userId: Id;
  readonly communityId: Id;
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
  return row && idIn(row.last_read_id);
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
    userId: storedId(row.user_id),
    communityId: storedId(row.community_id),
    channelId: storedId(row.channel_id),
    lastReadId: idIn(row.last_read_id),
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
  // Always in the same order, so that two devices that mark a community at once do not deadlock.
  const ordered = marks.toSorted((one, other) => (one.channelId < other.channelId ? -1 : 1));
  const rows = await db
    .insertInto('read_states')
    .values(
      ordered.map((mark) => ({
        user_id: mark.userId,
        community_id: mark.communityId,
        channel_id: mark.channelId,
        last_read_id: sortable(mark.lastReadId),
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
  return new Set(rows.map((row) => storedId(row.channel_id)));
}

const SET_MARK = `insert into read_states (user_id, community_id, channel_id, last_read_id)
  values ($1, $2, $3, $4)
  on conflict (user_id, community_id, channel_id) do update set last_read_id = excluded.last_read_id`;

/** A statement that sets a mark, forward or back. */
export function setMark({
  userId,
  communityId,
  channelId,
  lastReadId,
}: StoredReadState): Statement {
  return { text: SET_MARK, values: [userId, communityId, channelId, sortable(lastReadId)] };
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
