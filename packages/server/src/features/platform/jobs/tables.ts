import { column, table, type FeatureTables, type Row } from '../../../ports/database/table-data.ts';
import { createJobs } from './migrations/001-jobs.ts';

const DONE = { rows: 'kept', because: 'each row is deleted once its job is done' } as const;

const tables = {
  /** Work that is done in the background. A job that has succeeded has no row. */
  jobs: table({
    columns: {
      /** The id of the job, or its name if it is done again and again. */
      key: column.text,
      kind: column.text,
      /** The payload that the kind needs, as JSON. */
      payload: column.text,
      /** A job that has failed is not tried again by itself. */
      state: column.oneOf<'waiting' | 'failed'>(),
      created_at_ms: column.moment,
      /** When it is tried next, or when it failed. */
      due_at_ms: column.moment,
      /** When that was decided. If it lies ahead, the clock was set back since, and the job is due. */
      decided_at_ms: column.moment,
      /** The number of times that it was begun. */
      attempts: column.number,
      /** The reason of the last failure; empty if there was none. */
      error: column.text,
      /** The process that works on it, and until when no other one does. */
      leased_by: column.text,
      leased_until_ms: column.moment,
    },
    key: ['key'],
    people: { key: DONE, payload: DONE },
  }),
};

export type JobsTable = Row<typeof tables.jobs>;

export const jobsTables = {
  tables,
  migrations: { '001-first': createJobs },
} satisfies FeatureTables;

declare module '../../../ports/database/database.ts' {
  interface ChangeKinds {
    /** There are jobs to do; the id is their kind. */
    jobs: true;
  }
}
