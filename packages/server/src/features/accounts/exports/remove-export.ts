import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { EraseContent } from '../erasure/erasure.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { releasing } from '../../platform/contents/contents.ts';
import { deleteExport, selectExpired } from './store.ts';
import { HOUR_MS } from '../../../lib/clock.ts';

/** Removes the archive of a deleted account. */
export const eraseExport: EraseContent = (ctx, { userId }) => removeExport(ctx, userId);

/** Removes archives that have expired, once an hour. */
export function sweepExports(ctx: Context): JobKind {
  return {
    name: 'sweep-exports',
    parse: () => undefined,
    everyMs: HOUR_MS,
    async run(_payload, { signal }) {
      for (;;) {
        const nowMs = ctx.clock.unixMs();
        const expired = await selectExpired(ctx.database.reader, nowMs);
        if (expired.length === 0) return;
        for (const userId of expired) {
          signal.throwIfAborted();
          // Not one that was asked for again meanwhile.
          await removeExport(ctx, userId, nowMs);
        }
      }
    },
  };
}

async function removeExport(ctx: Context, userId: Id, expiredByMs?: number): Promise<void> {
  await releasing(ctx, (release) =>
    ctx.database.transaction(async (tx) => {
      const blobKey = await deleteExport(tx.sql, userId, expiredByMs);
      if (blobKey !== undefined) await release(tx, blobKey);
    }),
  );
}
