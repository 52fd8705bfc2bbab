import { RateLimitedError, UnauthorizedError, type AccountExport } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { ageOf } from '../../../lib/stored-moment.ts';
import { addJob } from '../../platform/jobs/jobs.ts';
import { releasing } from '../../platform/contents/contents.ts';
import { holdActiveUser } from '../users/users.ts';
import { describeExport, isBeingMade } from './describe-export.ts';
import { EXPORT_ACCOUNT, KEPT_MS } from './export-account.ts';
import { deleteExport, insertExport, selectExport } from './store.ts';

/** How often a person may ask for a new archive, in milliseconds. */
const PAUSE_MS = 3_600_000;

/**
 * Begins to make an archive of everything that the instance has of a person, in place of an earlier one. While one is being
 * made, nothing changes; one that nobody has begun within an hour counts as failed. Throws RateLimitedError if the last one
 * is less than an hour old, and UnauthorizedError after the end of the account.
 */
export async function requestExport(
  ctx: Context,
  { user_id: userId }: Account,
): Promise<AccountExport> {
  const nowMs = ctx.clock.unixMs();
  await releasing(ctx, (release) =>
    ctx.database.transaction(async (tx) => {
      // Requests of one person wait for each other here.
      if ((await holdActiveUser(tx, userId)) === undefined) {
        throw new UnauthorizedError('token_ended');
      }
      const known = await selectExport(tx.sql, userId);
      if (known !== undefined && isBeingMade(ctx, known)) return;
      const waitMs = known?.state === 'ready' ? PAUSE_MS - ageOf(known.requested_at_ms, nowMs) : 0;
      if (waitMs > 0) throw new RateLimitedError(waitMs);
      // The job of one that nobody has begun is still there, and makes this one.
      const key = known?.state === 'working' ? known.key : randomKey();
      const blobKey = await deleteExport(tx.sql, userId);
      await insertExport(tx.sql, {
        user_id: userId,
        key,
        requested_at_ms: nowMs,
        expires_at_ms: nowMs + KEPT_MS,
      });
      if (blobKey !== undefined) await release(tx, blobKey);
      const payload = { user_id: userId, key };
      await addJob(tx, EXPORT_ACCOUNT, { payload, nowMs, id: `export-${key}` });
    }),
  );
  return describeExport(ctx, await selectExport(ctx.database.reader, userId));
}
