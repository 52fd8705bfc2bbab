import type { Id } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { INSTANCE, requirePermission } from '../../permissions.ts';
import { removeReference } from '../contents/release-content.ts';
import { deleteUpload } from './store.ts';

/** Removes an upload, and its content unless another upload has the same bytes. Throws ForbiddenError and NotFoundError. */
export async function removeUpload(ctx: Context, actor: Actor, id: Id): Promise<void> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  await removeReference(ctx, ({ sql }) => deleteUpload(sql, id));
}
