import type { Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';
import { messageOf, type StoredMessage } from './stored-message.ts';

/** The pinned messages of a channel, the one that was pinned last first. */
export async function selectPinned(db: Reader, channelId: Id): Promise<readonly StoredMessage[]> {
  const rows = await db
    .selectFrom('channel_pins')
    .innerJoin('channel_messages', (join) =>
      join
        .onRef('channel_messages.channel_id', '=', 'channel_pins.channel_id')
        .onRef('channel_messages.id', '=', 'channel_pins.message_id'),
    )
    .selectAll('channel_messages')
    .where('channel_pins.channel_id', '=', channelId)
    .orderBy('channel_pins.pinned_at_ms', 'desc')
    .orderBy('channel_pins.message_id', 'desc')
    .execute();
  return rows.map(messageOf);
}

/** Counts the pinned messages of a channel. */
export async function countPinned(db: Reader, channelId: Id): Promise<number> {
  const { count } = await db
    .selectFrom('channel_pins')
    .select((own) => own.fn.countAll().as('count'))
    .where('channel_id', '=', channelId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
