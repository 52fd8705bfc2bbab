import type { Clock } from '../../../lib/clock.ts';
import { errorMessage } from '../../../lib/error-code.ts';
import { JobFailedError, JobTimeoutError, type JobKind } from './job-kind.ts';
import type { StoredJob } from './store.ts';

/** The longest that an attempt may take, in milliseconds, unless its kind has its own limit. */
const LIMIT_MS = 30 * 60_000;

/** The means by which an attempt is ended. */
export interface Attempting {
  readonly clock: Clock;
  readonly abort: AbortController;
  /** The longest that the job may go on after that, in milliseconds. */
  readonly graceMs: number;
}

export interface AttemptEnd {
  /** Undefined if it has succeeded. */
  readonly error: unknown;
  /** True if something other than its own limit ended it. */
  readonly isInterrupted: boolean;
}

/** Tries a job, in the time that its kind has. Never rejects, and does not wait for a job that does not end. */
export async function attemptJob(
  kind: JobKind,
  job: StoredJob,
  { clock, abort, graceMs }: Attempting,
): Promise<AttemptEnd> {
  const { limitMs = LIMIT_MS } = kind;
  const { signal } = abort;
  const endLimit = clock.every(limitMs, () => abort.abort(new JobTimeoutError(limitMs)));
  try {
    await untilEnded(run(kind, job, signal), { signal, graceMs });
    return { error: undefined, isInterrupted: signal.aborted };
  } catch (failure) {
    if (signal.reason instanceof JobTimeoutError) {
      return { error: signal.reason, isInterrupted: false };
    }
    const error = failure ?? new Error('the job failed without a reason');
    return { error, isInterrupted: signal.aborted };
  } finally {
    endLimit();
  }
}

async function run(kind: JobKind, job: StoredJob, signal: AbortSignal): Promise<void> {
  await kind.run(payloadOf(kind, job), { id: job.id, number: job.attempts, signal });
}

/** The parsed payload of a job. Throws JobFailedError. */
export function payloadOf(kind: JobKind, { payload }: StoredJob): unknown {
  try {
    return kind.parse(JSON.parse(payload));
  } catch (cause) {
    throw new JobFailedError(`the payload is invalid: ${errorMessage(cause)}`, { cause });
  }
}

interface Ending {
  readonly signal: AbortSignal;
  readonly graceMs: number;
}

/**
 * Settles like `work`. If that goes on for too long after the signal, whatever it waits for, this rejects
 * with the reason of the signal, and nobody waits for it any more.
 */
async function untilEnded<Result>(
  work: Promise<Result>,
  { signal, graceMs }: Ending,
): Promise<Result> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = () => {
    timer = setTimeout(() => reject(signal.reason), graceMs);
  };
  signal.addEventListener('abort', begin);
  if (signal.aborted) begin();
  try {
    return await Promise.race([work, givenUp]);
  } finally {
    signal.removeEventListener('abort', begin);
    clearTimeout(timer);
  }
}
