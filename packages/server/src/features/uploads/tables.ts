import type { FeatureTables } from '../../ports/database/table-data.ts';
import { createUploads } from './migrations/001-uploads.ts';

/** Uploaded files. */
interface UploadsTable {
  id: string;
  bucket: string;
  blob_key: string;
  name: string;
  spoiler: number;
  uploaded_at_ms: number;
}

/** The tables of this feature. */
export interface UploadsTables {
  uploads: UploadsTable;
}

export const uploadsTables: FeatureTables<UploadsTables> = {
  tables: {
    uploads: {
      columns: {
        id: 'text',
        bucket: 'text',
        blob_key: 'text',
        name: 'text',
        spoiler: 'number',
        uploaded_at_ms: 'number',
      },
      key: ['id'],
      refersTo: ['contents'],
    },
  },
  migrations: { '001-documented-interface': createUploads },
};
