import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import type { ChannelPacesTable } from './tables.ts';

/** A person and a channel with slow mode, and when they last posted there. */
export interface Pace {
  readonly channelId: Id;
  readonly userId: Id;
  readonly postedAtMs: number;
}

const SELECT = `select paces.channel_id, paces.user_id, paces.posted_at_ms from given
  join channel_paces paces on paces.channel_id = given.channel_id and paces.user_id = given.user_id`;

const UPSERT = `insert into channel_paces (channel_id, user_id, posted_at_ms)
  select channel_id, user_id, posted_at_ms from given where true
  on conflict (channel_id, user_id) do update set posted_at_ms = excluded.posted_at_ms`;

/** The paces of those who have one. */
export async function selectPaces(
  tx: Transaction,
  wanted: readonly Omit<Pace, 'postedAtMs'>[],
): Promise<readonly Pace[]> {
  const rows = await tx.many<ChannelPacesTable>({
    text: SELECT,
    columns: { channel_id: 'text', user_id: 'text' },
    rows: wanted.map(({ channelId, userId }) => [channelId, userId]),
  });
  return rows.map((row) => ({
    channelId: row.channel_id,
    userId: row.user_id,
    postedAtMs: row.posted_at_ms,
  }));
}

/** Notes posts of different persons or channels. */
export async function upsertPaces(tx: Transaction, paces: readonly Pace[]): Promise<void> {
  await tx.runMany({
    text: UPSERT,
    columns: { channel_id: 'text', user_id: 'text', posted_at_ms: 'bigint' },
    rows: paces.map(({ channelId, userId, postedAtMs }) => [channelId, userId, postedAtMs]),
  });
}
