import type { Context } from '../../context.ts';
import { selectUploads, type StoredUpload } from './store.ts';

/** Every upload, the oldest first. */
export async function listUploads(ctx: Context): Promise<readonly StoredUpload[]> {
  return selectUploads(await ctx.database.reader());
}
