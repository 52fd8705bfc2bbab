import { ConflictError } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import type { Term } from '../../../restrictions.ts';
import { newBanId } from '../moderation/moderation.ts';
import type { Blockable } from './blockable.ts';
import {
  deleteEndedBlocks,
  lockRegistration,
  selectBlocks,
  upsertBlock,
  type RegistrationBlock,
} from './store.ts';

const MOST_BLOCKS = 10_000;

/**
 * Lets nobody register from an address or a range, or with an address for mail of a domain. It takes the place of an earlier
 * block of the same. Throws ForbiddenError, and ConflictError if there are too many.
 */
export async function blockRegistration(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  actor: Actor,
  { what, term }: { readonly what: Blockable; readonly term: Term },
): Promise<RegistrationBlock> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  const nowMs = clock.unixMs();
  const block: RegistrationBlock = { id: newBanId(), ...what, created_at: nowMs, ...term };
  await database.transaction(async ({ sql }) => {
    await lockRegistration(sql);
    await deleteEndedBlocks(sql, nowMs);
    const known = await selectBlocks(sql, { limit: MOST_BLOCKS, nowMs });
    if (known.length >= MOST_BLOCKS) throw tooMany();
    await upsertBlock(sql, block);
  });
  return block;
}

function tooMany(): ConflictError {
  return new ConflictError({ code: 'too_many', field_name: 'blocks' }, { most: MOST_BLOCKS });
}
