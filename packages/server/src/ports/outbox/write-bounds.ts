import { RateLimitedError } from '@hearth/protocol';
import { alone, type Waiting, type WriteQueue, type WriteWork } from './write-queue.ts';

/** The most that queues hold. */
export interface WriteBounds {
  readonly batchCalls: number;
  readonly batchBytes: number;
  /**
   * The longest time in milliseconds that the calls of a transaction should take, besides what any transaction takes.
   */
  readonly batchMs: number;
  readonly queueCalls: number;
  readonly queueBytes: number;
  readonly bytes: number;
  /** The time in milliseconds that a caller may be expected to wait for the beginning of a transaction. */
  readonly waitMs: number;
}

export const WRITE_BOUNDS: WriteBounds = {
  batchCalls: 100,
  batchBytes: 1_000_000,
  batchMs: 100,
  queueCalls: 1_000,
  queueBytes: 8_000_000,
  bytes: 64_000_000,
  waitMs: 1_000,
};

/** The shortest and the longest time after which somebody who was refused may try again, in milliseconds. */
const [LEAST_RETRY_MS, MOST_RETRY_MS] = [250, 10_000];

/** The share of its weight that a transaction keeps in what transactions take, each time that another one is noted. */
const KEPT_SHARE = 0.8;

/** By how many of its likely errors a call has to be slow to count as slow. */
const CLEAR_ERRORS = 2;

/** The longest time that a transaction for one call is expected to take if nothing is known of its subject, in milliseconds. */
const MOST_UNKNOWN_MS = 10;

/** The approximate number of bytes of a call without a text. */
export const FEW_BYTES = 500;

/** The time that transactions with the same work take: so long for any, and so long for each call. */
export class WriteTimes {
  /** Sums, in which newer transactions count more: how many there were, their calls, their time, and products of these. */
  readonly #sums = { count: 0, calls: 0, ms: 0, callsSquared: 0, callsMs: 0, msSquared: 0 };

  /** Notes how long a transaction took. */
  note(calls: number, ms: number): void {
    const sums = this.#sums;
    sums.count = sums.count * KEPT_SHARE + 1;
    sums.calls = sums.calls * KEPT_SHARE + calls;
    sums.ms = sums.ms * KEPT_SHARE + ms;
    sums.callsSquared = sums.callsSquared * KEPT_SHARE + calls * calls;
    sums.callsMs = sums.callsMs * KEPT_SHARE + calls * ms;
    sums.msSquared = sums.msSquared * KEPT_SHARE + ms * ms;
  }

  /** The additional time of a transaction for each call, as far as that is clear; 0 as long as it is not. */
  get callMs(): number {
    const { slope, error } = this.#line;
    return this.#bounded(slope - CLEAR_ERRORS * error);
  }

  /** Returns how long a transaction for so many calls is expected to take; 0 if there was none. */
  expectedMs(calls: number): number {
    const { count, calls: noted, ms } = this.#sums;
    const callMs = this.#bounded(this.#line.slope);
    return count === 0 ? 0 : Math.max(0, (ms + (calls * count - noted) * callMs) / count);
  }

  /** The line that fits the times best: its slope, and what that may be wrong by because they differ by chance. */
  get #line(): { readonly slope: number; readonly error: number } {
    const { count, calls, ms, callsSquared, callsMs, msSquared } = this.#sums;
    const spread = count * callsSquared - calls * calls;
    if (spread <= 0) return { slope: 0, error: 0 };
    const slope = (count * callsMs - calls * ms) / spread;
    const byChance = Math.max(0, count * msSquared - ms * ms - slope * slope * spread);
    return { slope, error: Math.sqrt(byChance / (count * spread)) };
  }

  /** No call is quicker than nothing, and none takes longer than its share of a transaction. */
  #bounded(callMs: number): number {
    const { calls, ms } = this.#sums;
    return calls === 0 ? 0 : Math.min(ms / calls, Math.max(0, callMs));
  }
}

/** Knows how much waits in the queues of a process, and how long a call takes, and refuses what is too much. */
export class WriteLoad {
  readonly #bounds: WriteBounds;
  /** By the work, or by the queue for calls that are written alone, which may do anything. */
  readonly #times = new WeakMap<WriteWork<unknown, unknown> | WriteQueue, WriteTimes>();
  readonly #ofAlone = new WriteTimes();
  #bytes = 0;

  constructor(bounds: WriteBounds) {
    this.#bounds = bounds;
  }

  /**
   * Counts a call that comes to a queue. `runningMs` is for how long a transaction of its subject has been under way. Throws
   * RateLimitedError `busy` if it is too much, or would wait too long.
   */
  add(waiting: Waiting, queue: WriteQueue, runningMs: number): void {
    const { queueCalls, queueBytes, bytes, waitMs } = this.#bounds;
    const expectedMs = Math.max(runningMs, this.#expectedMs(queue));
    const isTooMuch =
      queue.count >= queueCalls ||
      queue.bytes + waiting.bytes > queueBytes ||
      this.#bytes + waiting.bytes > bytes;
    // What is urgent comes first, so it does not wait for what is there.
    const isTooLong = !waiting.isUrgent && expectedMs > waitMs;
    if (isTooMuch || isTooLong) throw busy(expectedMs);
    this.#bytes += waiting.bytes;
  }

  /** Notes that a call does not wait any more. */
  remove({ bytes }: Waiting): void {
    this.#bytes -= bytes;
  }

  /** Returns whether any call may be written together with these. */
  hasRoom(calls: readonly Waiting[]): boolean {
    const [first] = calls;
    return first === undefined || calls.length < this.#mostCalls(first.work);
  }

  /** Returns whether a call may be written together with these. */
  fits(calls: readonly Waiting[], bytes: number, next: Waiting): boolean {
    const [first] = calls;
    if (first === undefined) return true;
    const isSmall = bytes + next.bytes <= this.#bounds.batchBytes;
    return next.work === first.work && isSmall && this.hasRoom(calls);
  }

  /** Notes how long a transaction for calls of a queue took. */
  note(calls: readonly Waiting[], ms: number, queue: WriteQueue): void {
    const [first] = calls;
    if (first === undefined) return;
    // What moderators do may take long, because it locks much, and says nothing of other work that is written alone.
    if (first.work === alone && first.isUrgent) return;
    if (first.work === alone) this.#ofAlone.note(calls.length, ms);
    const key = first.work === alone ? queue : first.work;
    const times = this.#times.get(key) ?? new WriteTimes();
    this.#times.set(key, times);
    times.note(calls.length, ms);
  }

  /** Returns how long it is expected to take until what waits is written. */
  #expectedMs(queue: WriteQueue): number {
    let expectedMs = 0;
    for (const [work, count] of queue.counts) {
      const most = this.#mostCalls(work);
      const eachMs =
        work === alone ? this.#aloneMs(queue) : this.#times.get(work)?.expectedMs(most);
      expectedMs += Math.floor(count / most) * (eachMs ?? 0);
    }
    return expectedMs;
  }

  /** The time that a call takes that is written alone: as those of its queue, or as all if these are quick. */
  #aloneMs(queue: WriteQueue): number {
    const own = this.#times.get(queue)?.expectedMs(1);
    // Nothing is known of any before the first one.
    return own ?? Math.min(MOST_UNKNOWN_MS, this.#ofAlone.expectedMs(1) || MOST_UNKNOWN_MS);
  }

  #mostCalls(work: WriteWork<unknown, unknown>): number {
    if (work === alone) return 1;
    const { batchCalls, batchMs } = this.#bounds;
    const callMs = this.#times.get(work)?.callMs ?? 0;
    return Math.max(1, Math.min(batchCalls, Math.floor(batchMs / callMs)));
  }
}

/** The answer if too much waits for the same. */
export function busy(expectedMs: number): RateLimitedError {
  const retryMs = Math.round(Math.min(MOST_RETRY_MS, Math.max(LEAST_RETRY_MS, expectedMs)));
  return new RateLimitedError(retryMs, 'busy');
}
