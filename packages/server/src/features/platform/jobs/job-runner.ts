import type { Clock } from '../../../lib/clock.ts';
import { errorMessage } from '../../../lib/error-code.ts';
import type { Logger } from '../../../log/logger.ts';
import {
  KEPT,
  type Change,
  type Database,
  type Transaction,
} from '../../../ports/database/database.ts';
import { attemptJob, payloadOf, type AttemptEnd } from './attempt-job.ts';
import { ElsewhereError, JobFailedError, type JobKind } from './job-kind.ts';
import { retryDelayMs } from './retry-delay.ts';
import {
  deleteDoneJob,
  insertJob,
  releaseJob,
  renewLeases,
  selectDueKinds,
  takeDueJobs,
  type AfterAttempt,
  type JobLease,
  type StoredJob,
  type TakenJob,
} from './store.ts';

/**
 * The time in milliseconds after which to look again for jobs that have become due. A job that was just added is begun
 * at once.
 */
const LOOK_MS = 5_000;

/** The time in milliseconds after which a job whose process was killed is taken over. */
const LEASE_MS = 60_000;

const RENEW_MS = 15_000;

/** The time that an interrupted job may take to end, in milliseconds. A stop takes at most that much longer. */
const GRACE_MS = 3_000;

/** Longer reasons of failures are cut. */
const MOST_ERROR_CHARACTERS = 500;

/** The reason of an attempt that nobody has ended. */
const LOST = 'the process ended during the attempt';

export interface JobRunnerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly kinds: readonly JobKind[];
  /** For tests. */
  readonly graceMs?: number;
}

interface RunningJob {
  readonly kind: JobKind;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
  leasedUntilMs: number;
}

/**
 * Does jobs in the background until it is disposed. Every process of an instance may have a runner: each job is taken by
 * one of them. If a process dies, another one takes its jobs over when the lease has ended.
 */
export class JobRunner implements AsyncDisposable {
  readonly #options: JobRunnerOptions;
  readonly #name = crypto.randomUUID();
  readonly #running = new Map<string, RunningJob>();
  readonly #stop: readonly (() => void)[];
  #looking: Promise<void> | undefined;
  #mustLookAgain = false;
  #areScheduled = false;
  #isEnding = false;
  #isFailing = false;

  constructor(options: JobRunnerOptions) {
    const { clock, database } = options;
    this.#options = options;
    this.#stop = [
      clock.every(LOOK_MS, () => void this.look()),
      clock.every(RENEW_MS, () => void this.#renew()),
      database.onChange((changes) => {
        if (concerns(changes)) void this.look();
      }),
    ];
    void this.look();
  }

  /** Begins all jobs that are due, as many as may run at once. Never rejects: a failure is logged, and tried again. */
  look(): Promise<void> {
    this.#mustLookAgain = true;
    this.#looking ??= this.#lookWhileAsked();
    return this.#looking;
  }

  /** Stops. Resolves when no job runs any more, or is given up; those that were interrupted are waiting again. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    for (const stop of this.#stop) stop();
    await this.#looking;
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort();
    await Promise.all(running.map(({ ended }) => ended));
  }

  async #lookWhileAsked(): Promise<void> {
    while (this.#mustLookAgain && !this.#isEnding) {
      this.#mustLookAgain = false;
      try {
        await this.#takeDue();
        this.#isFailing = false;
      } catch (err) {
        if (!this.#isFailing) this.#options.log.error({ err }, 'jobs cannot be read');
        this.#isFailing = true;
        break;
      }
    }
    // At once, so that nobody who asks from now on is answered with a look that has ended.
    this.#looking = undefined;
  }

  async #takeDue(): Promise<void> {
    const { database, kinds } = this.#options;
    if (!this.#areScheduled) await this.#schedule();
    const due = new Set(await selectDueKinds(database.reader, this.#lease()));
    for (const kind of kinds) {
      const limit = (kind.atOnce ?? 1) - this.#countRunning(kind);
      if (!due.has(kind.name) || limit <= 0 || this.#isEnding) continue;
      const lease = this.#lease();
      const wanted = { kind: kind.name, limit, except: [...this.#running.keys()] };
      const taken = await database.transaction(({ sql }) => takeDueJobs(sql, wanted, lease), KEPT);
      for (const job of taken) this.#begin(kind, job, lease.untilMs);
    }
  }

  /** Adds the jobs that always exist. */
  async #schedule(): Promise<void> {
    const { database, clock, kinds } = this.#options;
    const nowMs = clock.unixMs();
    const scheduled = kinds.filter(({ everyMs }) => everyMs !== undefined);
    await database.transaction(async ({ sql }) => {
      for (const { name } of scheduled) {
        await insertJob(sql, { id: name, kind: name, payload: '{}', nowMs, dueAtMs: nowMs });
      }
    }, KEPT);
    this.#areScheduled = true;
  }

  #lease(): JobLease {
    const nowMs = this.#options.clock.unixMs();
    return { by: this.#name, nowMs, untilMs: nowMs + LEASE_MS };
  }

  #countRunning(kind: JobKind): number {
    let count = 0;
    for (const running of this.#running.values()) if (running.kind === kind) count += 1;
    return count;
  }

  #begin(kind: JobKind, job: TakenJob, leasedUntilMs: number): void {
    const abort = new AbortController();
    const work = job.wasLost ? this.#noteLoss(kind, job) : this.#attempt(kind, job, abort);
    const ended = work.finally(() => {
      this.#running.delete(job.id);
      if (!this.#isEnding) void this.look();
    });
    this.#running.set(job.id, { kind, abort, ended, leasedUntilMs });
  }

  async #attempt(kind: JobKind, job: StoredJob, abort: AbortController): Promise<void> {
    const { clock, log, graceMs = GRACE_MS } = this.#options;
    const end = await attemptJob(kind, job, { clock, abort, graceMs });
    try {
      await this.#note(kind, job, end);
    } catch (err) {
      // Nobody has noted that it is done, so it is done again when the lease has ended.
      log.error({ err, job: job.id, kind: kind.name }, 'the end of a job is not noted');
    }
  }

  /**
   * Counts an attempt that ended with its process, as one that has failed: a job that kills every process that tries it
   * would be tried forever otherwise. Unless it was the last one, the job is tried again, at once if it has waited enough.
   */
  async #noteLoss(kind: JobKind, job: StoredJob): Promise<void> {
    const { log } = this.#options;
    try {
      const after = this.#after(kind, { ...job, attempts: job.attempts - 1 }, new Error(LOST));
      // It has waited for the end of the lease.
      const dueAtMs = after.state === 'failed' ? after.dueAtMs : after.dueAtMs - LEASE_MS;
      await this.#release(kind, job, { ...after, dueAtMs });
    } catch (err) {
      log.error({ err, job: job.id, kind: kind.name }, 'the loss of a job is not noted');
    }
  }

  async #note(kind: JobKind, job: StoredJob, { error, isInterrupted }: AttemptEnd): Promise<void> {
    const { database } = this.#options;
    if (error === undefined && kind.everyMs === undefined) {
      await database.transaction(({ sql }) => deleteDoneJob(sql, job.id, this.#name), KEPT);
      return;
    }
    const after =
      isInterrupted && error !== undefined ? asBefore(job) : this.#after(kind, job, error);
    await this.#release(kind, job, after);
  }

  async #release(kind: JobKind, job: StoredJob, after: AfterAttempt): Promise<void> {
    const mine = { id: job.id, by: this.#name };
    await this.#options.database.transaction(async (tx) => {
      const isMine = await releaseJob(tx.sql, mine, after);
      if (isMine && after.state === 'failed') await giveUp(tx, kind, job);
    }, KEPT);
  }

  #after(kind: JobKind, job: StoredJob, error: unknown): AfterAttempt {
    const { clock, log } = this.#options;
    const { attempts } = job;
    const nowMs = clock.unixMs();
    if (error === undefined) {
      const dueAtMs = nowMs + (kind.everyMs ?? 0);
      return { state: 'waiting', dueAtMs, decidedAtMs: nowMs, attempts: 0, error: '' };
    }
    const isLast = error instanceof JobFailedError || attempts >= (kind.mostAttempts ?? 1);
    const hasFailed = isLast && kind.everyMs === undefined;
    const fields = { job: job.id, kind: kind.name, attempts };
    const message = hasFailed ? 'a job has failed' : 'a job failed, and is tried again';
    if (error instanceof ElsewhereError) log.info({ ...fields, reason: error.message }, message);
    else log.warn({ ...fields, err: error }, message);
    return {
      state: hasFailed ? 'failed' : 'waiting',
      dueAtMs: hasFailed ? nowMs : nowMs + retryDelayMs(attempts),
      decidedAtMs: nowMs,
      attempts,
      error: reasonOf(error),
    };
  }

  async #renew(): Promise<void> {
    const { database, clock, log } = this.#options;
    const ids = [...this.#running.keys()];
    if (ids.length === 0) return;
    const untilMs = clock.unixMs() + LEASE_MS;
    try {
      const kept = new Set(
        await database.transaction(
          ({ sql }) => renewLeases(sql, ids, { by: this.#name, untilMs }),
          KEPT,
        ),
      );
      for (const id of ids) {
        const running = this.#running.get(id);
        if (running === undefined) continue;
        if (kept.has(id)) running.leasedUntilMs = untilMs;
        else running.abort.abort();
      }
    } catch (err) {
      log.debug({ err }, 'the leases of jobs are not renewed');
      // Before another process takes a job over, this one stops.
      const nextMs = clock.unixMs() + RENEW_MS;
      for (const { leasedUntilMs, abort } of this.#running.values()) {
        if (leasedUntilMs <= nextMs) abort.abort();
      }
    }
  }
}

async function giveUp(tx: Transaction, kind: JobKind, job: StoredJob): Promise<void> {
  if (kind.giveUp === undefined) return;
  let payload: unknown;
  try {
    payload = payloadOf(kind, job);
  } catch {
    return;
  }
  await kind.giveUp(tx, payload);
}

/** A job that was interrupted has not failed. */
function asBefore({ dueAtMs, decidedAtMs, attempts, error }: StoredJob): AfterAttempt {
  return { state: 'waiting', dueAtMs, decidedAtMs, attempts: attempts - 1, error };
}

function reasonOf(error: unknown): string {
  return errorMessage(error).slice(0, MOST_ERROR_CHARACTERS) || 'unknown';
}

function concerns(changes: readonly Change[] | 'unknown'): boolean {
  return changes === 'unknown' || changes.some(({ kind }) => kind === 'jobs');
}
