import type { Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { selectServed, type ServedUpload } from './served-store.ts';

/** How many uploads one query reads. */
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
