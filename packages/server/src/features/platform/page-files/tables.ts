import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createPageFiles } from './migrations/001-page-files.ts';

/** Files of the page, as the last builds of the web client had them. */
interface PageFilesTable {
  /** The name of the build, which is made from those of its files. */
  build: string;
  path: string;
  /** The bytes, compressed with Brotli, as Base64. */
  content: string;
  /** When a process last started with this build. */
  started_at_ms: number;
}

/** The tables of this feature. */
export interface PageFilesTables {
  page_files: PageFilesTable;
}

export const pageFilesTables: FeatureTables<PageFilesTables> = {
  tables: {
    page_files: {
      columns: { build: 'text', path: 'text', content: 'text', started_at_ms: 'moment' },
      key: ['build', 'path'],
      notMoved: 'the instance stores the files of its page at each start',
    },
  },
  migrations: { '001-first': createPageFiles },
};
