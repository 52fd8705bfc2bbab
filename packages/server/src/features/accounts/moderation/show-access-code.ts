import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { selectRestrictions } from './store.ts';

/** The access code; undefined if none is needed. Throws ForbiddenError. */
export async function showAccessCode(
  { database }: Context,
  actor: Actor,
): Promise<string | undefined> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  return (await selectRestrictions(database.reader)).accessCode;
}
