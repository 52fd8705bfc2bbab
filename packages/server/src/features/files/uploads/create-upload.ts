import type { FileData } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import {
  placeholderOf,
  recordContent,
  type SealedContent,
} from '../../platform/contents/contents.ts';
import { holdSession } from '../../accounts/sessions/sessions.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { describeUpload } from './describe-upload.ts';
import { newFileKey } from './access-to.ts';
import { insertUpload } from './store.ts';
import { takeUserRoom } from './user-room.ts';

export interface NewUpload {
  readonly bucket: string;
  readonly name: string;
  readonly spoiler: boolean;
  readonly sealed: SealedContent;
}

/**
 * Records an upload under its own id, with a key if a user uploads it. When it resolves, the file survives power loss
 * (File service rule 2). When it rejects, nothing is left of it. Throws UnauthorizedError if the user's session has ended, and ValidationError for `file`
 * if there is no room for it.
 */
export async function createUpload(
  ctx: Context,
  actor: Actor,
  upload: NewUpload,
): Promise<FileData> {
  const { bucket, name, spoiler, sealed } = upload;
  const prepared = Promise.all([ctx.ids.next(), placeholderOf(ctx, bucket, sealed)]);
  const [id, placeholder] = await prepared.catch(async (error: unknown) => {
    await sealed.blob.discard();
    throw error;
  });
  const uploaded_at_ms = ctx.clock.unixMs();
  const { totalSizeBytes: mostBytes, userSizeBytes } = ctx.settings.files;
  const user = actor.kind === 'account' ? actor : undefined;
  const [userId, key] = user === undefined ? [null, null] : [user.user_id, newFileKey()];
  const lockFirst = async (tx: Transaction) => {
    if (user === undefined) return;
    await holdSession(tx, user);
    await takeUserRoom(tx, {
      userId: user.user_id,
      bytes: sealed.sizeBytes,
      mostBytes: userSizeBytes,
    });
  };
  const content = { bucket, sealed, placeholder, mostBytes, lockFirst };
  const row = { id, bucket, name, spoiler: spoiler ? 1 : 0, uploaded_at_ms, user_id: userId, key };
  await recordContent(ctx, content, ({ sql }, blobKey) =>
    insertUpload(sql, { ...row, blob_key: blobKey }),
  );
  const { sizeBytes, facts } = sealed;
  return describeUpload({ id, name, bucket, spoiler, sizeBytes, placeholder, key, ...facts });
}
