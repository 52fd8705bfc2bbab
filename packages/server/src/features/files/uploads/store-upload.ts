import { ATTACHMENTS_BUCKET, ValidationError, type FileData } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { requireAdmission, whileAdmitted } from '../../accounts/moderation/moderation.ts';
import { requireRoom } from '../../platform/contents/contents.ts';
import { createUpload } from './create-upload.ts';
import { leastFileBytes, receiveUpload, type IncomingUpload } from './receive-upload.ts';
import { requireUserRoom } from './user-room.ts';

/** An upload on its way to a bucket; `attachments` unless the path names one. */
export interface UploadInput extends IncomingUpload {
  readonly bucket?: string;
}

/**
 * Takes an upload as it streams in, records it and bills its bytes (File service rules 1, 2 and 5). Throws
 * ForbiddenError if the owner restricts uploads, UnauthorizedError if the session ends meanwhile, ValidationError naming
 * the field, and FileSizeRateLimitedError; nothing is left of it then.
 */
export async function storeUpload(
  ctx: Context,
  actor: Actor,
  { bucket = ATTACHMENTS_BUCKET, ...incoming }: UploadInput,
): Promise<FileData> {
  if (bucket !== ATTACHMENTS_BUCKET) {
    throw new ValidationError('bucket', `must be ${ATTACHMENTS_BUCKET}`);
  }
  await requireAdmission(ctx, actor, 'uploads');
  const { totalSizeBytes, userSizeBytes } = ctx.settings.files;
  const bytes = leastFileBytes(incoming);
  if (totalSizeBytes !== undefined) {
    await requireRoom(ctx, bucket, { bytes, mostBytes: totalSizeBytes });
  }
  if (actor.kind === 'account') {
    await requireUserRoom(ctx, { userId: actor.user_id, bytes, mostBytes: userSizeBytes });
  }
  const body = whileAdmitted(ctx, actor, incoming.body);
  const { allowance, ...received } = await receiveUpload(ctx, actor, { ...incoming, body });
  try {
    const data = await createUpload(ctx, actor, { bucket, ...received });
    await allowance.bill();
    return data;
  } finally {
    await allowance.giveBack();
  }
}
