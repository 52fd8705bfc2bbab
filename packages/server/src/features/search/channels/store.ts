import type { ChannelKind, Id } from '@hearth/protocol';
import { sql } from 'kysely';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import { idIn, sortable } from '../../../ports/database/sortable-id.ts';
import { storedId } from '../../../ports/database/stored-id.ts';

/** How far a channel is indexed. */
export interface ChannelIndex {
  readonly lastNumber: number;
  readonly lastId: Id;
}

/** An index that no other transaction changes. */
export interface LockedIndex extends ChannelIndex {
  readonly isStale: boolean;
  /** Of the channel. */
  readonly kind: ChannelKind;
}

/** Comes before everything. */
export const FIRST_ID = '0';

/** Whether a channel has posts or comments after those in its index. */
const HAS_NEW_POSTS = sql<boolean>`(
  select coalesce(max(id), '') from (
    select max(id) as id from posts where channel_id = channels.id
    union all
    select max(id) as id from comments where channel_id = channels.id
  ) as newest
) > (
  select coalesce(max(message_id), '') from channel_index_numbers where channel_id = channels.id
)`;

/** The indexes of channels that have one, and do not have to be made again. */
export async function selectIndexes(
  db: Reader,
  channelIds: readonly Id[],
): Promise<ReadonlyMap<Id, ChannelIndex>> {
  if (channelIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('channel_index')
    .select(['channel_id', 'last_number', 'last_id'])
    .where('channel_id', 'in', channelIds)
    .where('is_stale', '=', 0)
    .execute();
  return new Map(
    rows.map((row) => [
      storedId(row.channel_id),
      { lastNumber: Number(row.last_number), lastId: storedId(row.last_id) },
    ]),
  );
}

/** Messages of channels that the indexes do not have as they are now, at most `limit`. */
export async function selectChanges(
  db: Reader,
  channelIds: readonly Id[],
  limit: number,
): Promise<readonly { readonly channelId: Id; readonly id: Id }[]> {
  if (channelIds.length === 0) return [];
  const rows = await db
    .selectFrom('channel_index_changes')
    .selectAll()
    .where('channel_id', 'in', channelIds)
    .orderBy('message_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ channelId: storedId(row.channel_id), id: idIn(row.message_id) }));
}

/** Channels that have work for the indexer besides new messages. */
export async function selectUnfinished(db: Reader, limit: number): Promise<readonly Id[]> {
  const changed = await db
    .selectFrom('channel_index_changes')
    .select('channel_id')
    .distinct()
    .limit(limit)
    .execute();
  const stale = await db
    .selectFrom('channel_index')
    .select('channel_id')
    .where('is_stale', '=', 1)
    .limit(limit)
    .execute();
  return [...new Set([...changed, ...stale].map((row) => storedId(row.channel_id)))];
}

/** Channels after one with something that may not be indexed, in the order of their ids. */
export async function selectUnindexed(
  db: Reader,
  after: Id | '',
  limit: number,
): Promise<readonly Id[]> {
  const rows = await db
    .selectFrom('channels')
    .leftJoin('channel_index', 'channel_index.channel_id', 'channels.id')
    .select('channels.id')
    .where('channels.id', '>', after)
    .where('channels.deleted_at_ms', '=', 0)
    .where('channels.last_id', '!=', '')
    .where((where) =>
      where.or([
        where('channel_index.last_id', 'is', null),
        where.and([
          where('channels.kind', '!=', 'posts'),
          where('channel_index.last_id', '!=', where.ref('channels.last_id')),
        ]),
        where.and([where('channels.kind', '=', 'posts'), HAS_NEW_POSTS]),
      ]),
    )
    .orderBy('channels.id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => storedId(id));
}

/**
 * The index of a channel, which no other transaction changes until the end of this one; an empty one if there was none.
 * Undefined if the channel was deleted.
 */
export async function lockIndex(db: Writer, channelId: Id): Promise<LockedIndex | undefined> {
  const channel = await db
    .selectFrom('channels')
    .select('kind')
    .where('id', '=', channelId)
    .where('deleted_at_ms', '=', 0)
    .executeTakeFirst();
  if (channel === undefined) return undefined;
  await db
    .insertInto('channel_index')
    .values({ channel_id: channelId, last_number: 0, last_id: FIRST_ID, is_stale: 0 })
    .onConflict((conflict) => conflict.column('channel_id').doNothing())
    .execute();
  const row = await db
    .selectFrom('channel_index')
    .selectAll()
    .where('channel_id', '=', channelId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return {
    lastNumber: Number(row.last_number),
    lastId: storedId(row.last_id),
    isStale: Number(row.is_stale) > 0,
    kind: channel.kind,
  };
}

/** Notes up to where a channel is indexed. */
export async function advance(
  db: Writer,
  channelId: Id,
  { lastNumber, lastId }: ChannelIndex,
): Promise<void> {
  await db
    .updateTable('channel_index')
    .set({ last_number: lastNumber, last_id: lastId })
    .where('channel_id', '=', channelId)
    .execute();
}

/** Gives messages numbers, the first of them `first`. */
export async function insertNumbers(
  db: Writer,
  channelId: Id,
  { ids, first }: { readonly ids: readonly Id[]; readonly first: number },
): Promise<void> {
  await db
    .insertInto('channel_index_numbers')
    .values(
      ids.map((id, at) => ({
        channel_id: channelId,
        number: first + at,
        message_id: sortable(id),
      })),
    )
    .execute();
}

/** The ids of messages by their numbers. */
export async function selectIds(
  db: Reader,
  channelId: Id,
  numbers: readonly number[],
): Promise<readonly Id[]> {
  if (numbers.length === 0) return [];
  const rows = await db
    .selectFrom('channel_index_numbers')
    .select('message_id')
    .where('channel_id', '=', channelId)
    .where('number', 'in', numbers)
    .execute();
  return rows.map((row) => idIn(row.message_id));
}

/** The numbers of messages by their ids. */
export async function selectNumbers(
  db: Reader,
  channelId: Id,
  ids: readonly Id[],
): Promise<readonly number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('channel_index_numbers')
    .select('number')
    .where('channel_id', '=', channelId)
    .where('message_id', 'in', ids.map(sortable))
    .execute();
  return rows.map((row) => Number(row.number));
}

/** The largest number of a message before another one; 0 if there is none. */
export async function selectNumberBefore(db: Reader, channelId: Id, id: Id): Promise<number> {
  const row = await db
    .selectFrom('channel_index_numbers')
    .select('number')
    .where('channel_id', '=', channelId)
    .where('message_id', '<', sortable(id))
    .orderBy('message_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return Number(row?.number ?? 0);
}

/** The id of the first message with this number or a larger one. */
export async function selectIdFrom(
  db: Reader,
  channelId: Id,
  number: number,
): Promise<Id | undefined> {
  const row = await db
    .selectFrom('channel_index_numbers')
    .select('message_id')
    .where('channel_id', '=', channelId)
    .where('number', '>=', number)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : idIn(row.message_id);
}

/** Forgets the number of a message that was deleted. */
export async function deleteNumber(db: Writer, channelId: Id, number: number): Promise<void> {
  await db
    .deleteFrom('channel_index_numbers')
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .execute();
}

/** Forgets that a message was changed. Waits for those who are changing it. */
export async function deleteChange(db: Writer, channelId: Id, id: Id): Promise<void> {
  await db
    .deleteFrom('channel_index_changes')
    .where('channel_id', '=', channelId)
    .where('message_id', '=', sortable(id))
    .execute();
}

/** Makes all indexes be made again. */
export async function markAllStale(db: Writer): Promise<void> {
  await db.updateTable('channel_index').set({ is_stale: 1 }).execute();
}
