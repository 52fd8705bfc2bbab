import { open, readFile } from 'node:fs/promises';
import type { BlobKey, Blobs } from '../../../server/src/ports/blobs/blobs.ts';

type Locating = Pick<Blobs, 'locate'>;

/** The bytes of a content, from any store. Rejects if they are missing. */
export async function readContent(blobs: Locating, key: BlobKey): Promise<Buffer> {
  const place = blobs.locate(key);
  if (place.at === 'disk') return readFile(place.path);
  const end = await place.size();
  if (end === undefined) throw new Error(`there is no content ${key}`);
  return Buffer.from(await new Response(place.read({ start: 0, end })).arrayBuffer());
}

/** Its bytes as text. */
export async function readContentText(blobs: Locating, key: BlobKey): Promise<string> {
  return (await readContent(blobs, key)).toString();
}

/** Resolves with whether the content exists. */
export async function isContentThere(blobs: Locating, key: BlobKey): Promise<boolean> {
  return readContent(blobs, key).then(
    () => true,
    () => false,
  );
}

/** Opens a content and yields its bytes piece by piece. */
export async function* streamContent(blobs: Locating, key: BlobKey): AsyncGenerator<Uint8Array> {
  const place = blobs.locate(key);
  if (place.at === 'disk') {
    await using file = await open(place.path);
    yield* file.createReadStream({ highWaterMark: 4, autoClose: false });
    return;
  }
  yield* place.read({ start: 0, end: (await place.size()) ?? 0 });
}

/** The file of a content of the disk engine. */
export function contentPath(blobs: Locating, key: BlobKey): string {
  const place = blobs.locate(key);
  if (place.at !== 'disk') throw new Error(`the content ${key} is not a file`);
  return place.path;
}
