import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { deleteReaders } from './visit-store.ts';

/** How many saves, and how many visits, go in one transaction. */
const AT_ONCE = 1_000;

/** Forgets who has saved and visited a post that was deleted. It can be interrupted and repeated. */
export async function clearReaders(
  { database }: Pick<Context, 'database'>,
  { postId, signal }: { readonly postId: Id; readonly signal: AbortSignal },
): Promise<void> {
  for (const table of ['post_saves', 'post_visits'] as const) {
    for (let count = AT_ONCE; count === AT_ONCE;) {
      signal.throwIfAborted();
      count = await database.transaction(({ sql }) =>
        deleteReaders(sql, { table, postId, limit: AT_ONCE }),
      );
    }
  }
}
