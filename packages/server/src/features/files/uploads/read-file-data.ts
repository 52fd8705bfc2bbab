import type { FileData } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { isPicture, type PlaceholdersContext } from '../../platform/contents/contents.ts';
import { describeUpload } from './describe-upload.ts';
import { isItsKey } from './access-to.ts';
import { findUpload, type UploadAddress } from './find-uploads.ts';

/**
 * The FileData of an upload, with its key if that was given. An upload from before there were placeholders gets one,
 * unless too many pictures are waiting. Throws NotFoundError.
 */
export async function readFileData(
  ctx: PlaceholdersContext,
  actor: Actor,
  address: UploadAddress,
): Promise<FileData> {
  const found = await findUpload(ctx, actor, address);
  const upload = { ...found, key: isItsKey(found, address.key) ? found.key : null };
  if (upload.placeholder !== null || !isPicture(upload)) return describeUpload(upload);
  const placeholder = await ctx.placeholders.complete(upload);
  return describeUpload({ ...upload, placeholder });
}

/** Returns who may keep a FileData: nobody if it may change, because a picture without a placeholder may get one. */
export function keeperOf({
  metadata,
  placeholder,
  key,
}: FileData): 'nobody' | 'anybody' | 'client' {
  if (metadata.type === 'image' && placeholder === undefined) return 'nobody';
  return key === undefined ? 'anybody' : 'client';
}
