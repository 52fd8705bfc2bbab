import type { FileData } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import { isPicture, type PlaceholdersContext } from '../contents/placeholders.ts';
import { describeUpload } from './describe-upload.ts';
import { findUpload, type UploadAddress } from './find-upload.ts';

/**
 * The FileData of an upload. An upload from before there were placeholders gets one, unless too many pictures are
 * waiting. Throws NotFoundError.
 */
export async function readFileData(
  ctx: PlaceholdersContext,
  actor: Actor,
  address: UploadAddress,
): Promise<FileData> {
  const upload = await findUpload(ctx, actor, address);
  if (upload.placeholder !== null || !isPicture(upload)) return describeUpload(upload);
  const placeholder = await ctx.placeholders.complete(upload);
  return describeUpload({ ...upload, placeholder });
}

/** Whether a FileData stays as it is: a picture without a placeholder may get one. */
export function isComplete({ metadata, placeholder }: FileData): boolean {
  return metadata.type !== 'image' || placeholder !== undefined;
}
