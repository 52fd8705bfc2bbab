import type { Id } from '@hearth/protocol';
import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createUploads } from './migrations/001-uploads.ts';

/** Uploaded files. */
interface UploadsTable {
  id: Id;
  bucket: string;
  blob_key: string;
  name: string;
  spoiler: number;
  uploaded_at_ms: number;
  /** Who uploaded it. Null if that was somebody without an account. */
  user_id: Id | null;
  /** What a request has to give to see the file. Null if it needs nothing. */
  key: string | null;
  /** How often it is used as an avatar or the like. Then it is public, whether or not it has a key. */
  public_uses: number;
  /** The number of these uses that nobody sees, because their community was deleted and can be restored. */
  hidden_uses: number;
}

/** How many bytes the uploads of each user take together, counted when one is recorded or removed. */
interface UserBytesTable {
  user_id: Id;
  bytes: number;
}

/** The tables of this feature. */
export interface UploadsTables {
  uploads: UploadsTable;
  user_bytes: UserBytesTable;
}

export const uploadsTables: FeatureTables<UploadsTables> = {
  tables: {
    uploads: {
      columns: {
        id: 'id',
        bucket: 'text',
        blob_key: 'text',
        name: 'text',
        spoiler: 'number',
        uploaded_at_ms: 'moment',
        user_id: 'id',
        key: 'text',
        public_uses: 'number',
        hidden_uses: 'number',
      },
      key: ['id'],
      refersTo: ['contents', 'users'],
      people: {
        user_id: {
          rows: 'kept',
          because: 'erase-uploads.ts removes files, or leaves them without an owner',
        },
      },
    },
    user_bytes: {
      columns: { user_id: 'id', bytes: 'number' },
      key: ['user_id'],
      refersTo: ['users'],
      people: { user_id: { rows: 'removed' } },
      notMoved: 'a user without a row is counted again',
    },
  },
  migrations: { '001-first': createUploads },
};
