import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { selectStatics, type StaticFile } from './store.ts';

/** Every static file, by name. Throws ForbiddenError. */
export async function listStatics(ctx: Context, actor: Actor): Promise<readonly StaticFile[]> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  return selectStatics(ctx.database.reader);
}
