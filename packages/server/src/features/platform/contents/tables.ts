import { column, table, type FeatureTables } from '../../../ports/database/table-data.ts';
import type { VariantFormat } from '../../../ports/pictures/pictures.ts';
import { createContents } from './migrations/001-contents.ts';

const tables = {
  /** Contents, each kept once per bucket however often it was uploaded. */
  contents: table({
    columns: {
      blob_key: column.text,
      bucket: column.text,
      sha256: column.text,
      size_bytes: column.number,
      content_type: column.text,
      /** FileMetadata as JSON. */
      metadata: column.text,
      /** A picture's ThumbHash, empty if it has none, and null as long as that is not known. */
      placeholder: column.nullable(column.text),
    },
    key: ['blob_key'],
    rowsAtOnce: 64,
  }),
  /** Blobs that no content refers to and that have yet to be removed. */
  discarded_blobs: table({
    columns: {
      blob_key: column.text,
    },
    key: ['blob_key'],
  }),
  /** Smaller versions of pictures, each made when it is first requested. */
  media_variants: table({
    columns: {
      /** The content that it was made from. */
      source_key: column.text,
      /** The most pixels of its longer side. */
      pixels: column.number,
      format: column.oneOf<VariantFormat>(),
      /** Its own content. Null if the original takes its place, because a variant would be larger or cannot be made. */
      blob_key: column.nullable(column.text),
    },
    key: ['source_key', 'pixels', 'format'],
    refersTo: ['contents'],
  }),
  /** The number of bytes that the contents of each bucket take, counted when one is recorded or discarded. */
  stored_bytes: table({
    columns: {
      bucket: column.text,
      bytes: column.number,
    },
    key: ['bucket'],
    notMoved: 'a bucket without a row is counted again',
  }),
};

export const contentsTables = {
  tables,
  migrations: { '001-first': createContents },
} satisfies FeatureTables;

declare module '../../../ports/database/database.ts' {
  interface ChangeKinds {
    /** A content, or something that refers to it, was changed or removed; the id is the key of the blob. */
    content: true;
  }
}
