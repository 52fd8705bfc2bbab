import { NotFoundError, type Id } from '@hearth/protocol';
import type { User } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { removeReference } from '../contents/release-content.ts';
import { whileNotShown, withoutPicture } from '../communities/community-pictures.ts';
import { clearPictures } from '../users/clear-pictures.ts';
import { deleteUpload, selectUploader } from './store.ts';

/**
 * Removes an upload of the person who acts, and its content unless another upload has the same bytes. A profile or
 * community that shows it has no picture then. Throws NotFoundError, also for other people's uploads.
 */
export async function removeOwnUpload(
  ctx: Context,
  { user_id: userId }: User,
  { id }: { readonly id: Id },
): Promise<Record<never, never>> {
  await whileNotShown(() =>
    removeReference(ctx, async (tx) => {
      if ((await selectUploader(tx.sql, id)) !== userId) throw new NotFoundError();
      return await withoutPicture(tx, id, async () => {
        await clearPictures(tx, ctx, { userId, id });
        return await deleteUpload(tx.sql, id);
      });
    }),
  );
  return {};
}
