import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import type { Pausable, Term } from '../../../restrictions.ts';
import { upsertRestriction } from './store.ts';

/** Pauses posting, uploads or both. A pause that runs is replaced. Throws ForbiddenError. */
export async function pause(
  { database }: Context,
  actor: Actor,
  { what, term }: { readonly what: readonly Pausable[]; readonly term: Term },
): Promise<void> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  await database.transaction(async (tx) => {
    for (const each of what) await upsertRestriction(tx.sql, each, term);
    tx.changed('moderation', 'restrictions');
  });
}
