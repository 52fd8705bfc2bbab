import { isPictureType } from './read-file.ts';

/** Pictures that are larger are not small versions. */
const MOST_BYTES = 256 * 2 ** 10;

/**
 * The types that all browsers accept as a picture, so that it is the one in their cache: the server need not send it
 * again.
 */
const ACCEPT = 'image/avif,image/webp,*/*;q=0.8';

/** Reads a picture in one of the instance's sizes; undefined if the answer is something else, such as the whole file. */
export async function readSmallPicture(url: string): Promise<Blob | undefined> {
  const response = await fetch(url, { headers: { Accept: ACCEPT }, priority: 'low' });
  const { headers, body, ok } = response;
  const type = headers.get('content-type') ?? '';
  const bytes = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  // If the server has no time to make the small version, it answers with the file for once.
  const isLasting = headers.get('cache-control')?.includes('immutable') === true;
  if (ok && isLasting && bytes <= MOST_BYTES && isPictureType(type)) return response.blob();
  await body?.cancel();
  return undefined;
}
