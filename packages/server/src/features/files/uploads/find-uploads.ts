import { NotFoundError, parseId, type Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { selectServed, type ServedUpload } from './served-store.ts';
import { isOpenTo } from './access-to.ts';

/** The number of uploads that one query reads. */
const READ_AT_ONCE = 100;

export interface UploadIds {
  readonly bucket: string;
  readonly ids: readonly Id[];
}

/** The uploads of a bucket that have one of these ids; ids that no upload has are left out. */
export async function findUploads(
  ctx: Context,
  _actor: Actor,
  { bucket, ids }: UploadIds,
): Promise<readonly ServedUpload[]> {
  const found: ServedUpload[] = [];
  for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
    const some = ids.slice(from, from + READ_AT_ONCE);
    found.push(...(await selectServed(ctx.database.reader, bucket, some)));
  }
  return found;
}

/** The address of an upload, as it came in a path. */
export interface UploadAddress {
  readonly bucket: string;
  readonly id: string;
  /** The key that the request gave. */
  readonly key?: string | undefined;
}

/**
 * The upload with this id, as it came in a path. Throws NotFoundError (File service rule 4), also if it has another key
 * than the request gave, or if what it goes with was deleted: then nothing shows that it exists.
 */
export async function findUpload(
  ctx: Context,
  _actor: Actor,
  { bucket, id: idText, key }: UploadAddress,
): Promise<ServedUpload> {
  const id = parseId(idText);
  if (id === undefined) throw new NotFoundError();
  const [upload] = await selectServed(ctx.database.reader, bucket, [id]);
  if (upload === undefined || !isOpenTo(upload, key)) throw new NotFoundError();
  return upload;
}
