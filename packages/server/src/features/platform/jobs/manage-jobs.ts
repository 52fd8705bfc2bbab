import { NotFoundError } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { DAY_MS } from '../../../lib/clock.ts';
import { selectJobs, deleteJob, reviveJob, deleteFailedJobs, type StoredJob } from './store.ts';
import { sweep } from './job-kind.ts';

const MOST_LISTED = 1_000;

/** The first 1,000 jobs, or failed jobs, in the order in which they are due. Throws ForbiddenError. */
export async function listJobs(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
  { isFailed }: { readonly isFailed: boolean },
): Promise<readonly StoredJob[]> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const state = isFailed ? 'failed' : undefined;
  return selectJobs(database.reader, { state, limit: MOST_LISTED });
}

/**
 * Removes a job. An attempt that has begun is interrupted when its process notices. A job that always exists comes back
 * with the next start. Throws ForbiddenError and NotFoundError.
 */
export async function removeJob(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
  id: string,
): Promise<void> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  await database.transaction(async ({ sql }) => {
    if (!(await deleteJob(sql, id))) throw new NotFoundError();
  });
}

/** Lets a job that has failed be tried again at once. Throws ForbiddenError and NotFoundError. */
export async function retryJob(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  actor: Actor,
  id: string,
): Promise<void> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  await database.transaction(async (tx) => {
    const kind = await reviveJob(tx.sql, id, clock.unixMs());
    if (kind === undefined) throw new NotFoundError();
    tx.changed('jobs', kind);
  });
}

/** Forgets jobs that failed 30 days ago, once a day. */
export const sweepFailedJobs = sweep('sweep-failed-jobs', DAY_MS, ({ sql }, nowMs) =>
  deleteFailedJobs(sql, nowMs - 30 * DAY_MS),
);
