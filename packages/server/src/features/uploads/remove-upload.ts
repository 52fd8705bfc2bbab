import { NotFoundError, type Id } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import { releaseContent, removeDiscardedBlobs } from '../contents/release-content.ts';
import { deleteUpload } from './store.ts';

/** Removes an upload, and its content unless another upload has the same bytes. Throws NotFoundError. */
export async function removeUpload(ctx: Context, id: Id): Promise<void> {
  await ctx.database.transaction(async (writer) => {
    const blobKey = await deleteUpload(writer, id);
    if (blobKey === undefined) throw new NotFoundError();
    await releaseContent(writer, blobKey);
  });
  await removeDiscardedBlobs(ctx);
}
