import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { selectJobs, type StoredJob } from './store.ts';

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
