import type { Reader, Writer } from '../../../ports/database/database.ts';
import { latestMoment } from '../../../lib/stored-moment.ts';
import type { JobsTable } from './tables.ts';

export interface StoredJob {
  readonly id: string;
  readonly kind: string;
  readonly payload: string;
  readonly state: JobsTable['state'];
  readonly createdAtMs: number;
  readonly dueAtMs: number;
  readonly decidedAtMs: number;
  readonly attempts: number;
  readonly error: string;
  readonly leasedUntilMs: number;
}

export interface NewJob {
  readonly id: string;
  readonly kind: string;
  readonly payload: string;
  readonly nowMs: number;
  readonly dueAtMs: number;
}

/** The process that works on a job, and until when no other one does. */
export interface JobLease {
  readonly by: string;
  readonly nowMs: number;
  readonly untilMs: number;
}

/** A job that this process has just taken. */
export interface TakenJob extends StoredJob {
  /** The process that took it before has died during its attempt, or lost its lease. */
  readonly wasLost: boolean;
}

const NOBODY = { leased_by: '', leased_until_ms: 0 } as const;

/** Adds a job, unless there is one with this id. */
export async function insertJob(
  db: Writer,
  { id, kind, payload, nowMs, dueAtMs }: NewJob,
): Promise<void> {
  await db
    .insertInto('jobs')
    .values({
      key: id,
      kind,
      payload,
      state: 'waiting',
      created_at_ms: nowMs,
      due_at_ms: dueAtMs,
      decided_at_ms: nowMs,
      attempts: 0,
      error: '',
      ...NOBODY,
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
}

/** Jobs that may be taken. */
export interface WantedJobs {
  readonly kind: string;
  readonly limit: number;
  /** The ids of jobs that this process works on. */
  readonly except?: readonly string[];
}

/** Takes jobs of a kind that are due, the longest waiting first, and counts the attempt. */
export async function takeDueJobs(
  db: Writer,
  { kind, limit, except = [] }: WantedJobs,
  { by, nowMs, untilMs }: JobLease,
): Promise<readonly TakenJob[]> {
  let query = dueJobs(db, { nowMs, untilMs }).selectAll().where('kind', '=', kind);
  if (except.length > 0) query = query.where('key', 'not in', except);
  const due = await query
    .orderBy('due_at_ms')
    .orderBy('key')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  if (due.length === 0) return [];
  await db
    .updateTable('jobs')
    .set(({ eb }) => ({
      leased_by: by,
      leased_until_ms: untilMs,
      attempts: eb('attempts', '+', 1),
    }))
    .where(
      'key',
      'in',
      due.map(({ key }) => key),
    )
    .execute();
  return due.map((row) => ({
    ...jobOf(row),
    attempts: row.attempts + 1,
    // Otherwise its end would be noted, and nobody would have it.
    wasLost: row.leased_by !== NOBODY.leased_by,
  }));
}

/** Keeps jobs. Returns the ids of those that are still this process's. */
export async function renewLeases(
  db: Writer,
  ids: readonly string[],
  { by, untilMs }: Omit<JobLease, 'nowMs'>,
): Promise<readonly string[]> {
  const rows = await db
    .updateTable('jobs')
    .set({ leased_until_ms: untilMs })
    .where('key', 'in', ids)
    .where('leased_by', '=', by)
    .returning('key')
    .execute();
  return rows.map(({ key }) => key);
}

/** Forgets a job that is done, if it is still this process's. */
export async function deleteDoneJob(db: Writer, id: string, by: string): Promise<void> {
  await db.deleteFrom('jobs').where('key', '=', id).where('leased_by', '=', by).execute();
}

/** The state of a job after an attempt. */
export interface AfterAttempt {
  readonly state: JobsTable['state'];
  readonly dueAtMs: number;
  readonly decidedAtMs: number;
  readonly attempts: number;
  readonly error: string;
}

/** Gives a job back, if it is still this process's; false if it is not. */
export async function releaseJob(
  db: Writer,
  { id, by }: { readonly id: string; readonly by: string },
  { state, dueAtMs, decidedAtMs, attempts, error }: AfterAttempt,
): Promise<boolean> {
  const times = { due_at_ms: dueAtMs, decided_at_ms: decidedAtMs };
  const row = await db
    .updateTable('jobs')
    .set({ state, ...times, attempts, error, ...NOBODY })
    .where('key', '=', id)
    .where('leased_by', '=', by)
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

/** Jobs of this state, or of both, in the order in which they are due. */
export async function selectJobs(
  db: Reader,
  { state, limit }: { readonly state: JobsTable['state'] | undefined; readonly limit: number },
): Promise<readonly StoredJob[]> {
  const query = db.selectFrom('jobs').selectAll().orderBy('due_at_ms').orderBy('key').limit(limit);
  const rows = await (state === undefined ? query : query.where('state', '=', state)).execute();
  return rows.map(jobOf);
}

export async function selectDueKinds(
  db: Reader,
  lease: Omit<JobLease, 'by'>,
): Promise<readonly string[]> {
  const rows = await dueJobs(db, lease).select('kind').distinct().execute();
  return rows.map(({ kind }) => kind);
}

/** Jobs that are due and leased by nobody, also because that was decided before the clock was set back. */
function dueJobs(db: Reader, { nowMs, untilMs }: Omit<JobLease, 'by'>) {
  return db
    .selectFrom('jobs')
    .where('state', '=', 'waiting')
    .where((where) =>
      where.or([where('due_at_ms', '<=', nowMs), where('decided_at_ms', '>', latestMoment(nowMs))]),
    )
    .where((where) =>
      where.or([
        where('leased_until_ms', '<=', nowMs),
        where('leased_until_ms', '>', latestMoment(untilMs)),
      ]),
    );
}

/** Lets a failed job be tried again from now on. Returns its kind; undefined if there is no failed job with this id. */
export async function reviveJob(
  db: Writer,
  id: string,
  nowMs: number,
): Promise<string | undefined> {
  const row = await db
    .updateTable('jobs')
    .set({ state: 'waiting', due_at_ms: nowMs, decided_at_ms: nowMs, attempts: 0 })
    .where('key', '=', id)
    .where('state', '=', 'failed')
    .returning('kind')
    .executeTakeFirst();
  return row?.kind;
}

/** Removes a job, even if a process works on it; false if there is none with this id. */
export async function deleteJob(db: Writer, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('jobs')
    .where('key', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function deleteFailedJobs(db: Writer, beforeMs: number): Promise<void> {
  await db
    .deleteFrom('jobs')
    .where('state', '=', 'failed')
    .where('due_at_ms', '<', beforeMs)
    .execute();
}

function jobOf(row: JobsTable): StoredJob {
  return {
    id: row.key,
    kind: row.kind,
    payload: row.payload,
    state: row.state,
    createdAtMs: row.created_at_ms,
    dueAtMs: row.due_at_ms,
    decidedAtMs: row.decided_at_ms,
    attempts: row.attempts,
    error: row.error,
    leasedUntilMs: row.leased_until_ms,
  };
}
