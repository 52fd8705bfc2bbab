import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { findUsernames } from '../../accounts/users/users.ts';
import type { StoredUpload } from './store.ts';

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
