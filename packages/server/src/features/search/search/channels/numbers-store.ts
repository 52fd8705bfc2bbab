import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../../ports/database/database.ts';
import type { Swept } from '../../../../ports/database/delete-after.ts';
import { evenly, placesAfter, readRows } from '../../../../ports/database/read-rows.ts';
import type { ChannelIndexNumbersTable } from '../tables.ts';

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
        message_id: id,
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
  const some = evenly(numbers);
  const text = `select message_id from channel_index_numbers
    where channel_id = $1 and number in (${placesAfter(1, some.length)})`;
  const rows = await readRows<IdRow>(db, { text, values: [channelId, ...some] });
  return rows.map((row) => row.message_id);
}

/** The numbers of messages by their ids. */
export async function selectNumbers(
  db: Reader,
  channelId: Id,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('channel_index_numbers')
    .select(['message_id', 'number'])
    .where('channel_id', '=', channelId)
    .where('message_id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.message_id, row.number]));
}

/** The largest number of a message before another one; 0 if there is none. */
export async function selectNumberBefore(db: Reader, channelId: Id, id: Id): Promise<number> {
  const row = await db
    .selectFrom('channel_index_numbers')
    .select('number')
    .where('channel_id', '=', channelId)
    .where('message_id', '<', id)
    .orderBy('message_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.number ?? 0;
}

/** The id of the first message with this number or a larger one. */
export async function selectIdFrom(
  db: Reader,
  channelId: Id,
  number: number,
): Promise<Id | undefined> {
  const text = `select message_id from channel_index_numbers where channel_id = $1 and number >= $2
    order by number limit 1`;
  const [row] = await readRows<IdRow>(db, { text, values: [channelId, number] });
  return row?.message_id;
}

/** The numbers of a channel, in the order in which they are deleted. */
export function sweptNumbers(channelId: Id): Swept {
  return { table: 'channel_index_numbers', where: { channel_id: channelId }, order: ['number'] };
}

export async function deleteNumber(db: Writer, channelId: Id, number: number): Promise<void> {
  await db
    .deleteFrom('channel_index_numbers')
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .execute();
}

type IdRow = Pick<ChannelIndexNumbersTable, 'message_id'>;
