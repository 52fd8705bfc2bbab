import type { Context } from '../../../context.ts';
import type { PictureSource } from '../../../ports/pictures/pictures.ts';
import { isFileWhole } from '../../../runtime/file-body.ts';

/** Bytes of a picture on another machine that are read at most, because they have to be in memory. */
const MOST_REMOTE_BYTES = 32 * 1024 * 1024;

/** A stored picture, which is read later if it is on another machine. Undefined if it is missing, damaged, or too large to be fetched. */
export async function readPicture(
  { blobs }: Context,
  { blobKey, sizeBytes }: { readonly blobKey: string; readonly sizeBytes: number },
): Promise<PictureSource | undefined> {
  const place = blobs.locate(blobKey);
  if (place.at === 'disk') return isFileWhole(place.path, sizeBytes) ? place.path : undefined;
  if (sizeBytes > MOST_REMOTE_BYTES || (await place.size()) !== sizeBytes) return undefined;
  // Not before its turn, because many may be waiting.
  return () => new Response(place.read({ start: 0, end: sizeBytes })).bytes();
}
