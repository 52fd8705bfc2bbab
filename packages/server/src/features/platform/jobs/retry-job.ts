import { NotFoundError } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { reviveJob } from './store.ts';

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
