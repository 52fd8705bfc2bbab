import { NotFoundError } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import { releaseContent, removeDiscardedBlobs } from '../contents/release-content.ts';
import { deleteStatic } from './store.ts';

/** Removes a static file. Throws NotFoundError. */
export async function removeStatic(ctx: Context, name: string): Promise<void> {
  await ctx.database.transaction(async (writer) => {
    const blobKey = await deleteStatic(writer, name);
    if (blobKey === undefined) throw new NotFoundError();
    await releaseContent(writer, blobKey);
  });
  await removeDiscardedBlobs(ctx);
}
