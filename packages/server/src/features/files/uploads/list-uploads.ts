import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { selectUploads } from './store.ts';
import { withUploaders, type ListedUpload } from './with-uploaders.ts';

/** Every upload, the oldest first. Throws ForbiddenError. */
export async function listUploads(ctx: Context, actor: Actor): Promise<readonly ListedUpload[]> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  return withUploaders(ctx, await selectUploads(ctx));
}
