import { column, table, type FeatureTables } from '../../../ports/database/table-data.ts';
import { createPageFiles } from './migrations/001-page-files.ts';

const tables = {
  /** Files of the page, as the last builds of the web client had them. */
  page_files: table({
    columns: {
      /** The name of the build, which is made from those of its files. */
      build: column.text,
      path: column.text,
      /** The bytes, compressed with Brotli, as Base64. */
      content: column.text,
      /** When a process last started with this build. */
      started_at_ms: column.moment,
    },
    key: ['build', 'path'],
    notMoved: 'the instance stores the files of its page at each start',
  }),
};

export const pageFilesTables = {
  tables,
  migrations: { '001-first': createPageFiles },
} satisfies FeatureTables;
