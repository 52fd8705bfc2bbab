import { NotFoundError, parseId } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { isOpenTo } from './file-key.ts';
import { selectServed, type ServedUpload } from './served-store.ts';

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
