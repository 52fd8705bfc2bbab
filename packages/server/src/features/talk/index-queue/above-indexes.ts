import { compareIds, type Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { withIdsAbove } from '../places/places.ts';

/** Keeps the indexes of channels, in the order of their ids, as they are until the transaction ends. Returns the newest id in each. */
export type HoldIndexes = (
  tx: Transaction,
  channelIds: readonly Id[],
) => Promise<ReadonlyMap<Id, Id>>;

export interface HasIndexes {
  readonly holdIndexes: HoldIndexes;
}

/**
 * Keeps the indexes of channels from passing the ids of new posts or comments until the transaction ends: what is older than the
 * newest one in an index is never indexed. Returns the posts or comments, with greater ids if need be.
 */
export async function aboveIndexes<Entry extends { readonly id: Id; readonly at: number }>(
  tx: Transaction,
  ctx: Pick<Context, 'ids'> & HasIndexes,
  {
    entries,
    channelIds,
  }: { readonly entries: readonly Entry[]; readonly channelIds: ReadonlySet<Id> },
): Promise<readonly Entry[]> {
  const indexed = await ctx.holdIndexes(tx, [...channelIds].toSorted(compareIds));
  return withIdsAbove(ctx, entries, indexed.values());
}
