import type { Context } from '../../../context.ts';
import { releasing } from '../../platform/contents/contents.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { dropUpload } from '../uploads/uploads.ts';
import { KEPT_UNUSED_MS } from './stored-preview.ts';
import { deletePreview, isUnused, lockPreview, selectUnused } from './store.ts';
import { DAY_MS } from '../../../lib/clock.ts';

const SWEPT_AT_ONCE = 100;

/** Removes previews that nothing shows any more, once a day. */
export function sweepPreviews(ctx: Context): JobKind {
  return {
    name: 'sweep-link-previews',
    parse: () => undefined,
    everyMs: DAY_MS,
    async run(_payload, { signal }) {
      const beforeMs = ctx.clock.unixMs() - KEPT_UNUSED_MS;
      for (;;) {
        const unused = await selectUnused(ctx.database.reader, beforeMs, SWEPT_AT_ONCE);
        for (const urlHash of unused) {
          signal.throwIfAborted();
          await removeUnused(ctx, urlHash, beforeMs);
        }
        if (unused.length < SWEPT_AT_ONCE) return;
      }
    },
  };
}

async function removeUnused(ctx: Context, urlHash: string, beforeMs: number): Promise<void> {
  await releasing(ctx, (release) =>
    ctx.database.transaction(async (tx) => {
      const preview = await lockPreview(tx.sql, urlHash);
      // Somebody may have posted it meanwhile.
      if (preview === undefined || !(await isUnused(tx.sql, urlHash, beforeMs))) return;
      await deletePreview(tx.sql, urlHash);
      if (preview.picture_id !== '') await dropUpload(tx, preview.picture_id, release);
    }),
  );
}
