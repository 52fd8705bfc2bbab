import type { Context } from '../../../context.ts';
import { noRoom } from './no-room.ts';
import { selectStoredBytes } from './store.ts';

/** Throws ValidationError for `file` if `bytes` more do not fit into a bucket that may take `mostBytes`. */
export async function requireRoom(
  ctx: Context,
  bucket: string,
  { bytes, mostBytes }: { readonly bytes: number; readonly mostBytes: number },
): Promise<void> {
  const leftBytes = mostBytes - (await selectStoredBytes(ctx.database.reader, bucket));
  if (bytes > leftBytes) throw noRoom(leftBytes);
}
