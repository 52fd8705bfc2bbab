import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { selectRestrictions, type StoredRestrictions } from './store.ts';

/** What the owner restricts for everyone; pauses that have ended are left out. Throws ForbiddenError. */
export async function listRestrictions(
  { database, clock }: Context,
  actor: Actor,
): Promise<StoredRestrictions> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const { pauses, ...others } = await selectRestrictions(database.reader);
  const nowMs = clock.unixMs();
  const running = Object.entries(pauses).filter(([, { until = Infinity }]) => until > nowMs);
  return { ...others, pauses: Object.fromEntries(running) };
}
