import { createReadStream } from 'node:fs';
import type { Context } from '../../../context.ts';
import type { ArchivedFile, ExportPart } from '../../accounts/exports/exports.ts';
import { selectUploadsBy, type StoredUpload } from './store.ts';

/** More files than this do not fit into one archive. */
const MOST_FILES = 100_000;

/** The files that a person has uploaded. */
export const exportUploads: ExportPart = async (ctx, userId) => {
  const uploads = await selectUploadsBy(ctx.database.reader, userId, {
    arePublic: false,
    limit: MOST_FILES,
  });
  return uploads.map((upload): ArchivedFile => ({
    // Its id, because several may have one name.
    name: `files/${upload.id}/${upload.name}`,
    modifiedAtMs: upload.uploadedAtMs,
    read: () => bytesOf(ctx, upload),
  }));
};

function bytesOf(
  { blobs }: Context,
  { blobKey, sizeBytes }: StoredUpload,
): AsyncIterable<Uint8Array> {
  const place = blobs.locate(blobKey);
  return place.at === 'disk'
    ? createReadStream(place.path)
    : place.read({ start: 0, end: sizeBytes });
}
