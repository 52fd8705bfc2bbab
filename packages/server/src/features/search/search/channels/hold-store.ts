import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../../ports/database/database.ts';
import type { ChannelIndexTable } from '../tables.ts';

const HOLD = `select i.channel_id, i.last_id from given
  join channel_index i on i.channel_id = given.channel_id order by i.channel_id`;

/** The newest id in each index that there is. The indexes stay as they are until the transaction ends. */
export async function holdIndexRows(
  tx: Transaction,
  channelIds: readonly Id[],
): Promise<ReadonlyMap<Id, Id>> {
  const rows = await tx.many<Pick<ChannelIndexTable, 'channel_id' | 'last_id'>>({
    text: HOLD,
    columns: { channel_id: 'text' },
    rows: channelIds.map((id) => [id]),
    locks: 'for share of i',
  });
  return new Map(rows.map((row) => [row.channel_id, row.last_id]));
}
