import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { insertJob } from './store.ts';

export interface Attempt {
  /** The id of the job, which is the same in every attempt, so that another server can recognise a repetition. */
  readonly id: string;
  /** 1 in the first attempt. */
  readonly number: number;
  /**
   * Aborted when the time of the job is over, when the process stops, or when another process may have taken the job over.
   * A job that goes on all the same is given up a moment later.
   */
  readonly signal: AbortSignal;
}

/**
 * A kind of work that is done in the background. A process may die after it has done the work and before this is noted,
 * so `run` must allow for being repeated.
 */
export interface JobKind<Payload = unknown> {
  readonly name: string;
  /** The number of jobs of the kind that a process runs at once; one by default. */
  readonly atOnce?: number;
  /**
   * The number of times that a job is tried before it counts as failed; once by default, as suits a job that is never
   * done.
   */
  readonly mostAttempts?: number;
  /** The time that an attempt may take, in milliseconds; half an hour by default. */
  readonly limitMs?: number;
  /** The time between two runs of a job that is never done. One job of the kind then always exists. */
  readonly everyMs?: number;

  /** The payload from its JSON. A job whose payload it refuses has failed. */
  parse(json: unknown): Payload;

  /**
   * Does the work. Throws JobFailedError if trying again is useless, and any other error if it may help: an ElsewhereError if
   * the cause is not in this instance.
   */
  run(payload: Payload, attempt: Attempt): Promise<void>;

  /** Notes that a job counts as failed, in the transaction that makes it so. No other attempt follows by itself. */
  giveUp?(tx: Transaction, payload: Payload): Promise<void>;
}

/** Makes the kind of a job that is never done: again and again, it removes what is out of date by then. */
export function sweep(
  name: string,
  everyMs: number,
  remove: (tx: Transaction, nowMs: number) => Promise<void>,
): (ctx: Pick<Context, 'database' | 'clock'>) => JobKind {
  return ({ database, clock }) => ({
    name,
    everyMs,
    parse: () => undefined,
    run: () => database.transaction((tx) => remove(tx, clock.unixMs())),
  });
}

/** An attempt took longer than its kind allows. */
export class JobTimeoutError extends Error {
  override readonly name = 'JobTimeoutError';

  constructor(limitMs: number) {
    super(`it took longer than ${limitMs / 1_000} s`);
  }
}

/** Somebody else's server failed, which is no fault of this instance. Trying the job again may help. */
export class ElsewhereError extends Error {
  override readonly name = 'ElsewhereError';
}

/** Trying the job again is useless. */
export class JobFailedError extends Error {
  override readonly name = 'JobFailedError';
}

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
