import type { FeatureTables } from '../database/table-data.ts';
import { createOutbox } from './migrations/001-outbox.ts';

/** How many events each subject has had. Emitting one locks the subject's row. */
interface SubjectsTable {
  subject: string;
  number: number;
}

/** Committed events that may not have been published yet. */
interface OutboxTable {
  subject: string;
  number: number;
  stream: string;
  /** An event or a control entry, as JSON. */
  entry: string;
}

/** The tables of the outbox. */
export interface OutboxTables {
  subjects: SubjectsTable;
  outbox: OutboxTable;
}

const PUBLISHED = {
  rows: 'kept',
  because: 'each row is deleted once its event is published',
} as const;

export const outboxTables: FeatureTables<OutboxTables> = {
  tables: {
    subjects: {
      columns: { subject: 'text', number: 'number' },
      key: ['subject'],
      people: {
        subject: { rows: 'kept', because: 'it says nothing but how many events there were' },
      },
    },
    outbox: {
      columns: { subject: 'text', number: 'number', stream: 'text', entry: 'text' },
      key: ['subject', 'number'],
      people: { subject: PUBLISHED, stream: PUBLISHED, entry: PUBLISHED },
      rowsAtOnce: 64,
    },
  },
  migrations: { '001-first': createOutbox },
};

declare module '../database/database.ts' {
  interface ChangeKinds {
    /** The subject with this id has rows that another process has to publish. */
    outbox: true;
  }
}
