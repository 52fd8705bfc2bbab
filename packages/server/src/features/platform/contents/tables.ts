import type { FeatureTables } from '../../../ports/database/table-data.ts';
import type { VariantFormat } from '../../../ports/pictures/pictures.ts';
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

/** Smaller versions of pictures, each made when it is first requested. */
interface MediaVariantsTable {
  /** The content that it was made from. */
  source_key: string;
  /** The most pixels of its longer side. */
  pixels: number;
  format: VariantFormat;
  /** Its own content. Null if the original takes its place, because a variant would be larger or cannot be made. */
  blob_key: string | null;
}

/** The tables of this feature. */
export interface ContentsTables {
  contents: ContentsTable;
  discarded_blobs: DiscardedBlobsTable;
  media_variants: MediaVariantsTable;
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
    media_variants: {
      columns: { source_key: 'text', pixels: 'number', format: 'text', blob_key: 'text' },
      key: ['source_key', 'pixels', 'format'],
      refersTo: ['contents'],
    },
    stored_bytes: {
      columns: { bucket: 'text', bytes: 'number' },
      key: ['bucket'],
      notMoved: 'a bucket without a row is counted again',
    },
  },
  migrations: { '001-first': createContents },
};

declare module '../../../ports/database/database.ts' {
  interface ChangeKinds {
    /** A content, or something that refers to it, was changed or removed; the id is the key of the blob. */
    content: true;
  }
}
