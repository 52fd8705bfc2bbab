import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createUploads } from './migrations/001-uploads.ts';

const tables = {
  /** Uploaded files. */
  uploads: table({
    columns: {
      id: column.id,
      bucket: column.text,
      blob_key: column.text,
      name: column.text,
      spoiler: column.number,
      uploaded_at_ms: column.moment,
      /** The user who uploaded it. Null if that was somebody without an account. */
      user_id: column.nullable(column.id),
      /** The key that a request has to give to see the file. Null if it needs nothing. */
      key: column.nullable(column.text),
      /**
       * The number of times that it is used as an avatar or the like. Then it is public, whether or not it has a key.
       */
      public_uses: column.number,
      /** The number of these uses that nobody sees, because their community was deleted and can be restored. */
      hidden_uses: column.number,
    },
    key: ['id'],
    refersTo: ['contents', 'users'],
    people: {
      user_id: {
        rows: 'kept',
        because: 'erase-uploads.ts removes files, or leaves them without an owner',
      },
    },
  }),
  /** The number of bytes that the uploads of each user take together, counted when one is recorded or removed. */
  user_bytes: table({
    columns: {
      user_id: column.id,
      bytes: column.number,
    },
    key: ['user_id'],
    refersTo: ['users'],
    people: { user_id: { rows: 'removed' } },
    notMoved: 'a user without a row is counted again',
  }),
};

export type UploadsTable = Row<typeof tables.uploads>;

export const uploadsTables = {
  tables,
  migrations: { '001-first': createUploads },
} satisfies FeatureTables;
