import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createContents } from './migrations/001-contents.ts';

/** Contents, each kept once per bucket however often it was uploaded. */
interface ContentsTable {
  blob_key: string;
  bucket: string;
  sha256: string;
  size_bytes: number;
  content_type: string;
  /** FileMetadata as JSON. */
  metadata: string;
  /** A picture's ThumbHash, empty if it has none, and null as long as that is not known. */
  placeholder: string | null;
}

/** Blobs that no content refers to and that have yet to be removed. */
interface DiscardedBlobsTable {
  blob_key: string;
}

/** How many bytes the contents of each bucket take, counted when one is recorded or discarded. */
interface StoredBytesTable {
  bucket: string;
  bytes: number;
}

/** The tables of this feature. */
export interface ContentsTables {
  contents: ContentsTable;
  discarded_blobs: DiscardedBlobsTable;
  stored_bytes: StoredBytesTable;
}

export const contentsTables: FeatureTables<ContentsTables> = {
  tables: {
    contents: {
      columns: {
        blob_key: 'text',
        bucket: 'text',
        sha256: 'text',
        size_bytes: 'number',
        content_type: 'text',
        metadata: 'text',
        placeholder: 'text',
      },
      key: ['blob_key'],
      rowsAtOnce: 64,
    },
    discarded_blobs: { columns: { blob_key: 'text' }, key: ['blob_key'] },
    stored_bytes: {
      columns: { bucket: 'text', bytes: 'number' },
      key: ['bucket'],
      notMoved: 'a bucket without a row is counted again',
    },
  },
  migrations: { '001-first': createContents },
};
