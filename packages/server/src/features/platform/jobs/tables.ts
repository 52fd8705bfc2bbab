import type { FeatureTables } from '../../../ports/database/table-data.ts';
import { createJobs } from './migrations/001-jobs.ts';

/** Work that is done in the background. A job that has succeeded has no row. */
export interface JobsTable {
  /** The id of the job, or its name if it is done again and again. */
  key: string;
  kind: string;
  /** What the kind needs to know, as JSON. */
  payload: string;
  /** A job that has failed is not tried again by itself. */
  state: 'waiting' | 'failed';
  created_at_ms: number;
  /** When it is tried next, or when it failed. */
  due_at_ms: number;
  /** When that was decided. If it lies ahead, the clock was set back since, and the job is due. */
  decided_at_ms: number;
  /** How often it was begun. */
  attempts: number;
  /** The reason of the last failure; empty if there was none. */
  error: string;
  /** The process that works on it, and until when no other one does. */
  leased_by: string;
  leased_until_ms: number;
}

/** The tables of this feature. */
export interface JobsTables {
  jobs: JobsTable;
}

const DONE = { rows: 'kept', because: 'each row is deleted once its job is done' } as const;

export const jobsTables: FeatureTables<JobsTables> = {
  tables: {
    jobs: {
      columns: {
        key: 'text',
        kind: 'text',
        payload: 'text',
        state: 'text',
        created_at_ms: 'moment',
        due_at_ms: 'moment',
        decided_at_ms: 'moment',
        attempts: 'number',
        error: 'text',
        leased_by: 'text',
        leased_until_ms: 'moment',
      },
      key: ['key'],
      people: { key: DONE, payload: DONE },
    },
  },
  migrations: { '001-first': createJobs },
};

declare module '../../../ports/database/database.ts' {
  interface ChangeKinds {
    /** There are jobs to do; the id is their kind. */
    jobs: true;
  }
}
