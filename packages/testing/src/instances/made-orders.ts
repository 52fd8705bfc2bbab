import type { Id } from '@hearth/protocol';
import { join } from 'node:path';
import { makeOrder } from '../../../server/src/features/forum/post-lists/make-order.ts';
import { PostOrders } from '../../../server/src/features/forum/post-lists/post-orders.ts';
import type { InstanceContext } from '../../../server/src/instance-context.ts';
import { sqliteDatabase } from '../../../server/src/engines/databases.ts';

/** Makes and stores an order of posts again and again. Returns the CPU time of one in microseconds. */
export async function costOfOrder(
  folder: string,
  channelIds: readonly Id[],
  times: number,
): Promise<number> {
  await using database = await sqliteDatabase(join(folder, 'hearth.sqlite'));
  const clock = { unixMs: () => Date.now() };
  // Guarantee: this is all that an order is made with.
  const ctx = { database, clock } as unknown as InstanceContext;
  const ordering = { channelIds, sort: 'hot', since: undefined, tag: undefined } as const;
  const make = async (list: string) => {
    const orders = new PostOrders();
    await orders.keep(ctx, await orders.begin(ctx, list, () => makeOrder(ctx, ordering)));
  };
  for (let at = 0; at < times / 10; at += 1) await make(`before ${at}`);
  const before = process.cpuUsage();
  for (let at = 0; at < times; at += 1) await make(`list ${at}`);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}
