import type { FeatureTables } from '../../../ports/database/table-data.ts';
import type { VariantFormat } from '../../../ports/pictures/pictures.ts';
import { createMediaVariants } from './migrations/001-media-variants.ts';

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
export interface MediaTables {
  media_variants: MediaVariantsTable;
}

export const mediaTables: FeatureTables<MediaTables> = {
  tables: {
    media_variants: {
      columns: { source_key: 'text', pixels: 'number', format: 'text', blob_key: 'text' },
      key: ['source_key', 'pixels', 'format'],
      refersTo: ['contents'],
    },
  },
  migrations: { '001-first': createMediaVariants },
};
