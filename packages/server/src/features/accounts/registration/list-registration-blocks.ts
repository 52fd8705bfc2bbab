import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { selectBlocks, type RegistrationBlock } from './store.ts';

const MOST_LISTED = 10_000;

/** The blocks that have not ended, the oldest first. Throws ForbiddenError. */
export async function listRegistrationBlocks(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  actor: Actor,
): Promise<readonly RegistrationBlock[]> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  return await selectBlocks(database.reader, { limit: MOST_LISTED, nowMs: clock.unixMs() });
}
