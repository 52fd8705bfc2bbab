import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { INSTANCE, requirePermission } from '../../permissions.ts';
import { selectUploads, type StoredUpload } from './store.ts';

/** Every upload, the oldest first. Throws ForbiddenError. */
export async function listUploads(ctx: Context, actor: Actor): Promise<readonly StoredUpload[]> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  return selectUploads(ctx);
}
