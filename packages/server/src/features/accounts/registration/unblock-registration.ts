import { NotFoundError } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { parseBlockable } from './blockable.ts';
import { deleteBlock } from './store.ts';

/** Lifts a block, given by its id or value. Returns the value. Throws ForbiddenError and NotFoundError. */
export async function unblockRegistration(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
  given: string,
): Promise<string> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  const value = parseBlockable(given)?.value ?? given;
  return await database.transaction(async ({ sql }) => {
    const lifted = await deleteBlock(sql, value);
    if (lifted === undefined) throw new NotFoundError();
    return lifted;
  });
}
