import { ATTACHMENTS_BUCKET } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { selectStoredBytes } from '../../platform/contents/contents.ts';
import type { OwnProfilePart } from '../../accounts/own-account/own-account.ts';
import { countUploads, selectUserBytes } from './store.ts';

export interface StorageUse {
  readonly uploads: number;
  /** Files of the same bytes are kept once. */
  readonly bytes: number;
  /** The bytes that they may take; undefined if there is no limit. */
  readonly mostBytes: number | undefined;
}

/** Describes what all uploads take together. Throws ForbiddenError. */
export async function describeStorage(ctx: Context, actor: Actor): Promise<StorageUse> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  return {
    uploads: await countUploads(ctx, ATTACHMENTS_BUCKET),
    bytes: await selectStoredBytes(ctx.database.reader, ATTACHMENTS_BUCKET),
    mostBytes: ctx.settings.files.totalSizeBytes,
  };
}

/** Describes what the uploads of a user take, and may take, in bytes. */
export const describeUserStorage: OwnProfilePart = async ({ database, settings }, userId) => {
  const used = await selectUserBytes(database.reader, userId);
  return { storage: { used, limit: settings.files.userSizeBytes } };
};
