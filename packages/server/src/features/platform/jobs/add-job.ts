import type { Transaction } from '../../../ports/database/database.ts';
import type { JobKind } from './job-kind.ts';
import { insertJob } from './store.ts';

/** What a job is about, when it is done, and what it is known by. */
export interface NewJobOptions<Payload> {
  readonly payload: Payload;
  /** Unix milliseconds. */
  readonly nowMs: number;
  /** The earliest moment, Unix milliseconds; without it, at once. */
  readonly dueAtMs?: number;
  /** If a job with this id is waiting, has failed or is being done, no other one is added. */
  readonly id?: string;
}

/** Adds a job, which is done after the transaction is committed. Returns its id. */
export async function addJob<Payload>(
  tx: Transaction,
  { name: kind }: Pick<JobKind<Payload>, 'name' | 'parse'>,
  { payload, nowMs, dueAtMs = nowMs, id = crypto.randomUUID() }: NewJobOptions<Payload>,
): Promise<string> {
  await insertJob(tx.sql, { id, kind, payload: JSON.stringify(payload), nowMs, dueAtMs });
  tx.changed('jobs', kind);
  return id;
}
