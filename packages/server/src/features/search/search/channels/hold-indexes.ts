import type { HoldIndexes } from '../../../talk/index-queue/index-queue.ts';
import { holdIndexRows } from './hold-store.ts';
import { insertIndex } from './store.ts';

/** Keeps the indexes of channels as they are until the transaction ends. Makes those that there are not. */
export const holdIndexes: HoldIndexes = async (tx, channelIds) => {
  const held = await holdIndexRows(tx, channelIds);
  if (held.size === channelIds.length) return held;
  for (const id of channelIds) if (!held.has(id)) await insertIndex(tx.sql, id);
  return await holdIndexRows(tx, channelIds);
};
