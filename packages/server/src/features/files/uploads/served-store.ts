import type { Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';
import { storedUpload, uploadsWithContents, type StoredUpload } from './store.ts';

/** An upload, and what it goes with. */
export interface ServedUpload extends StoredUpload {
  /** True if its uploader's account was deleted with everything that the person wrote and uploaded. */
  readonly isErased: boolean;
  /** True if the channel or community of what it is attached to was deleted, or all communities that alone use it. */
  readonly isOfDeletedPlace: boolean;
  /** True if a profile or community shows it, or it is attached to a message or post. */
  readonly isUsed: boolean;
  /** The ids of its uploader and of that channel and community. */
  readonly goesWith: readonly Id[];
}

/** The uploads with these ids in this bucket, in no order. */
export async function selectServed(
  db: Reader,
  bucket: string,
  ids: readonly Id[],
): Promise<readonly ServedUpload[]> {
  const rows = await withPlaces(db)
    .where('uploads.id', 'in', ids)
    .where('uploads.bucket', '=', bucket)
    .execute();
  return rows.map(servedUpload);
}

const withPlaces = (db: Reader) =>
  uploadsWithContents(db)
    .leftJoin('users', 'users.id', 'uploads.user_id')
    .leftJoin('channel_files', 'channel_files.file_id', 'uploads.id')
    .leftJoin('post_files', 'post_files.file_id', 'uploads.id')
    .leftJoin('channels', (join) =>
      join.on((each) =>
        each(
          'channels.id',
          '=',
          each.fn.coalesce('channel_files.channel_id', 'post_files.channel_id'),
        ),
      ),
    )
    .leftJoin('communities', 'communities.id', 'channels.community_id')
    .select((each) => [
      'users.erases_content',
      each.fn.coalesce('channel_files.channel_id', 'post_files.channel_id').as('channel_id'),
      'channels.community_id',
      'channels.deleted_at_ms as channel_deleted_at_ms',
      'communities.deleted_at_ms as community_deleted_at_ms',
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof withPlaces>['executeTakeFirstOrThrow']>>;

function servedUpload(row: Row): ServedUpload {
  const { channel_id, community_id, erases_content, ...upload } = row;
  const { channel_deleted_at_ms, community_deleted_at_ms, ...stored } = upload;
  // A place of which the row is gone was deleted, too.
  const isDeleted = [channel_deleted_at_ms, community_deleted_at_ms].some((ms) => ms !== 0);
  const { public_uses: uses, hidden_uses: hiddenUses, userId } = stored;
  const isHidden = uses > 0 && uses <= hiddenUses;
  return {
    ...storedUpload(stored),
    isErased: (erases_content ?? 0) > 0,
    isUsed: uses > 0 || channel_id !== null,
    isOfDeletedPlace: channel_id === null ? isHidden : isDeleted,
    goesWith: [userId, channel_id, community_id].flatMap((id) => (id === null ? [] : [id])),
  };
}
