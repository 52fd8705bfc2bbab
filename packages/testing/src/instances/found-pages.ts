import type { Id } from '@hearth/protocol';
import { join } from 'node:path';
import { pageOfTree } from '../../../server/src/features/forum/comments/list-comments.ts';
import { PostOrders } from '../../../server/src/features/forum/post-lists/post-orders.ts';
import type { InstanceContext } from '../../../server/src/instance-context.ts';
import { sqliteDatabase } from '../../../server/src/engines/databases.ts';

/** Looks for the best 50 comments on a post again and again. Returns the CPU time of once in microseconds. */
export async function costOfFinding(folder: string, postId: Id, times: number): Promise<number> {
  await using database = await sqliteDatabase(join(folder, 'hearth.sqlite'));
  // The order of what is directly below the post is there, as it is for all but one reader in a minute.
  const clock = { unixMs: () => 0 };
  // Guarantee: this is all that a page is found with.
  const ctx = { database, clock, postOrders: new PostOrders() } as unknown as InstanceContext;
  const siblings = { postId, parentId: '', sort: 'top' } as const;
  const find = () => pageOfTree(ctx, siblings, { cursor: undefined, bounds: BOUNDS });
  for (let at = 0; at < times / 10; at += 1) await find();
  const before = process.cpuUsage();
  for (let at = 0; at < times; at += 1) await find();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

const BOUNDS = { depth: 8, limit: 50 };
