import { NotFoundError, type Id } from '@hearth/protocol';
import type { Actor, Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { removeReference } from '../../platform/contents/contents.ts';
import { clearPictures, type HasPersonAnnouncers } from '../../accounts/users/users.ts';
import { whileNotShown, withoutUses, type HasFileUsers } from './file-users.ts';
import { deleteUpload, selectUploader } from './store.ts';

/**
 * Removes an upload, and its content unless another upload has the same bytes. A profile or community that shows it has no picture then.
 * Throws ForbiddenError and NotFoundError.
 */
export async function removeUpload(
  ctx: Context & HasFileUsers & HasPersonAnnouncers,
  actor: Actor,
  id: Id,
): Promise<void> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  await whileNotShown(() =>
    removeReference(ctx, async (tx) => {
      const userId = await selectUploader(tx.sql, id);
      const remove = async () => {
        if (userId !== null) await clearPictures(tx, ctx, { userId, id });
        return await deleteUpload(tx.sql, id);
      };
      return await withoutUses(tx, ctx, { id, remove });
    }),
  );
}

/**
 * Removes an upload of the person who acts, and its content unless another upload has the same bytes. A profile or
 * community that shows it has no picture then. Throws NotFoundError, also for other people's uploads.
 */
export async function removeOwnUpload(
  ctx: Context & HasFileUsers & HasPersonAnnouncers,
  { user_id: userId }: Account,
  { id }: { readonly id: Id },
): Promise<Record<never, never>> {
  await whileNotShown(() =>
    removeReference(ctx, async (tx) => {
      if ((await selectUploader(tx.sql, id)) !== userId) throw new NotFoundError();
      const remove = async () => {
        await clearPictures(tx, ctx, { userId, id });
        return await deleteUpload(tx.sql, id);
      };
      return await withoutUses(tx, ctx, { id, remove });
    }),
  );
  return {};
}
