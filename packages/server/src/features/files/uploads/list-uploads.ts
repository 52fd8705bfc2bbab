import type { Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { findUsernames } from '../../accounts/users/users.ts';
import { selectUploads, type StoredUpload } from './store.ts';

/** Every upload, the oldest first. Throws ForbiddenError. */
export async function listUploads(ctx: Context, actor: Actor): Promise<readonly ListedUpload[]> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  return withUploaders(ctx, await selectUploads(ctx));
}

/** An upload, and the username of who made it; undefined if that was somebody without an account. */
export interface ListedUpload extends StoredUpload {
  readonly username: string | undefined;
}

/** Uploads with the usernames of those who made them. */
export async function withUploaders(
  ctx: Context,
  uploads: readonly StoredUpload[],
): Promise<readonly ListedUpload[]> {
  const userIds = new Set<Id>(uploads.flatMap(({ userId }) => userId ?? []));
  const names = await findUsernames(ctx, [...userIds]);
  return uploads.map((upload) => ({
    ...upload,
    username: upload.userId === null ? undefined : names.get(upload.userId),
  }));
}
