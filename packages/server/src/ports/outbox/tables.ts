import { column, table, type FeatureTables } from '../database/table-data.ts';
import { createOutbox } from './migrations/001-outbox.ts';

const PUBLISHED = {
  rows: 'kept',
  because: 'each row is deleted once its event is published',
} as const;

const tables = {
  /** The number of events that each subject has had. Emitting one locks the subject's row. */
  subjects: table({
    columns: {
      subject: column.text,
      number: column.number,
    },
    key: ['subject'],
    people: {
      subject: { rows: 'kept', because: 'it says nothing but how many events there were' },
    },
  }),
  /** Committed events that may not have been published yet. */
  outbox: table({
    columns: {
      subject: column.text,
      number: column.number,
      stream: column.text,
      /** An event or a control entry, as JSON. */
      entry: column.text,
    },
    key: ['subject', 'number'],
    people: { subject: PUBLISHED, stream: PUBLISHED, entry: PUBLISHED },
    rowsAtOnce: 64,
  }),
};

export const outboxTables = {
  tables,
  migrations: { '001-first': createOutbox },
} satisfies FeatureTables;

declare module '../database/database.ts' {
  interface ChangeKinds {
    /** The subject with this id has rows that another process has to publish. */
    outbox: true;
  }
}
