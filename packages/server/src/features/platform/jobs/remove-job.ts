import { NotFoundError } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { deleteJob } from './store.ts';

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
