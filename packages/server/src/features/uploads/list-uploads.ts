import type { Context } from '../../context.ts';
import { selectUploads, type StoredUpload } from './store.ts';

/** Every upload, the oldest first. */
export function listUploads(ctx: Context): Promise<readonly StoredUpload[]> {
  return selectUploads(ctx);
}
