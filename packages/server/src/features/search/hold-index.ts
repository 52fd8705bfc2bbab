import type { Id } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../ports/database/database.ts';
import { withIdsAbove } from '../places/turn.ts';
import { holdIndexRows } from './channels/hold-store.ts';
import { insertIndex } from './channels/store.ts';

/**
 * Keeps the indexes of channels from passing the ids of new posts or comments until the transaction ends: what is older than the
 * newest one in an index is never indexed. Returns the posts or comments, with greater ids if need be.
 */
export async function aboveIndexes<Entry extends { readonly id: Id; readonly at: number }>(
  tx: Transaction,
  ctx: Pick<Context, 'ids'>,
  {
    entries,
    channelIds,
  }: { readonly entries: readonly Entry[]; readonly channelIds: ReadonlySet<Id> },
): Promise<readonly Entry[]> {
  const indexed = await holdIndexes(tx, [...channelIds].toSorted());
  return withIdsAbove(ctx, entries, indexed.values());
}

/** The newest id in the index of each channel. */
async function holdIndexes(
  tx: Transaction,
  channelIds: readonly Id[],
): Promise<ReadonlyMap<Id, Id>> {
  const held = await holdIndexRows(tx, channelIds);
  if (held.size === channelIds.length) return held;
  for (const id of channelIds) if (!held.has(id)) await insertIndex(tx.sql, id);
  return await holdIndexRows(tx, channelIds);
}
