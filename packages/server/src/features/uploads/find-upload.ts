import { NotFoundError, parseId } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import { selectUpload, type StoredUpload } from './store.ts';

/** The upload with this id, as it came in a path. Throws NotFoundError (File service rule 4). */
export async function findUpload(
  ctx: Context,
  bucket: string,
  idText: string,
): Promise<StoredUpload> {
  const id = parseId(idText);
  if (id === undefined) throw new NotFoundError();
  const upload = await selectUpload(ctx, bucket, id);
  if (upload === undefined) throw new NotFoundError();
  return upload;
}
