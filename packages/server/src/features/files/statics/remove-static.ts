import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { removeReference } from '../../platform/contents/contents.ts';
import { deleteStatic, lockStatics } from './store.ts';

/** Removes a static file. Throws ForbiddenError and NotFoundError. */
export async function removeStatic(ctx: Context, actor: Actor, name: string): Promise<void> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  await removeReference(ctx, async ({ sql }) => {
    await lockStatics(sql);
    return deleteStatic(sql, name);
  });
}
