import type { LimitHeaders } from './limit-headers.ts';

/** The requests that are in flight. */
export interface Pending {
  readonly requests: number;
  readonly bytes: number;
}

const NOTHING: Pending = { requests: 0, bytes: 0 };

/** Consecutive refusals wait longer each time, in case an instance gives a `retry_after` that does not help. */
const WAIT_PER_REFUSAL_MS = 250;
const LONGEST_REFUSAL_WAIT_MS = 30_000;

/** Returns the time to wait after a refusal, if there were so many others before it in a row. */
export function waitAfterRefusal(retryAfterMs: number, refusalsInRow: number): number {
  const patienceMs = Math.min(refusalsInRow * WAIT_PER_REFUSAL_MS, LONGEST_REFUSAL_WAIT_MS);
  return Math.max(1, retryAfterMs, patienceMs);
}

/**
 * The time frame of one limit, as far as it is known from answers. They give its start by the instance's clock, which may
 * differ from ours. An answer at time `t` bounds the difference by `t` minus that start, and the smallest bound is kept.
 */
export class LimitWindow {
  #headers: LimitHeaders | undefined;
  /** Our clock minus the instance's, or an upper bound of that. */
  #offsetMs = Infinity;
  #pausedUntilMs = 0;
  #refusalsInRow = 0;
  #latestMs = -Infinity;
  #isAnswered = false;

  /** True if an answer has come, with headers or without. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  get limit(): number | undefined {
    return this.#headers?.max;
  }

  get byteLimit(): number | undefined {
    return this.#headers?.byteMax;
  }

  /** Takes the limit headers of an answer that came at `nowMs`; undefined if it had none. */
  answered(headers: LimitHeaders | undefined, nowMs: number): void {
    this.#isAnswered = true;
    this.#refusalsInRow = 0;
    if (headers !== undefined) this.#note(headers, nowMs);
  }

  /** The instance refused at `nowMs` and gave a time to wait, which shows exactly what its clock says. */
  refused(headers: LimitHeaders | undefined, retryAfterMs: number, nowMs: number): void {
    this.#isAnswered = true;
    if (headers !== undefined) {
      this.#note(headers, nowMs);
      const serverNowMs = headers.lastResetMs + headers.resetMs - retryAfterMs;
      if (serverNowMs >= headers.lastResetMs) this.#offsetMs = nowMs - serverNowMs;
    }
    this.#pausedUntilMs = nowMs + waitAfterRefusal(retryAfterMs, this.#refusalsInRow);
    this.#refusalsInRow += 1;
  }

  /** When a request with `bytes` may go out, as far as is known; `nowMs` or earlier if it may at once. */
  freeAtMs(bytes: number, nowMs: number): number {
    const end = this.resetsAtMs(nowMs);
    return Math.max(this.#pausedUntilMs, this.#hasRoom(bytes, NOTHING, nowMs) ? 0 : end);
  }

  /** Returns whether a request with `bytes` fits next to the pending ones; if not, their answers will show more. */
  hasRoomBeside(pending: Pending, bytes: number, nowMs: number): boolean {
    return pending.requests === 0 || this.#hasRoom(bytes, pending, nowMs);
  }

  /** When the time frame ends, by our clock; 0 if none is known to be running. */
  resetsAtMs(nowMs: number): number {
    this.#notice(nowMs);
    const headers = this.#headers;
    if (headers === undefined) return 0;
    const end = headers.lastResetMs + headers.resetMs + this.#offsetMs;
    return end > nowMs ? end : 0;
  }

  used(nowMs: number): number {
    return this.resetsAtMs(nowMs) > 0 ? (this.#headers?.requestCount ?? 0) : 0;
  }

  sentBytes(nowMs: number): number {
    return this.resetsAtMs(nowMs) > 0 ? (this.#headers?.sentBytes ?? 0) : 0;
  }

  #hasRoom(bytes: number, pending: Pending, nowMs: number): boolean {
    const headers = this.#headers;
    if (headers === undefined) return true;
    if (this.used(nowMs) + pending.requests >= headers.max) return false;
    const { byteMax = Infinity } = headers;
    // The instance refuses what never fits.
    return bytes > byteMax || this.sentBytes(nowMs) + pending.bytes + bytes <= byteMax;
  }

  /** If our clock was set back, all times that were computed with it move along. */
  #notice(nowMs: number): void {
    const backMs = Math.max(0, this.#latestMs - nowMs);
    this.#offsetMs -= backMs;
    this.#pausedUntilMs -= backMs;
    this.#latestMs = nowMs;
  }

  #note(headers: LimitHeaders, nowMs: number): void {
    const known = this.#headers;
    const isRunning = this.resetsAtMs(nowMs) > 0;
    this.#offsetMs = Math.min(this.#offsetMs, nowMs - headers.lastResetMs);
    // A late answer of an earlier time frame.
    if (known !== undefined && isRunning && headers.lastResetMs < known.lastResetMs) return;
    if (known === undefined || headers.lastResetMs !== known.lastResetMs) {
      this.#headers = headers;
      return;
    }
    // Answers of one time frame may arrive in a different order than they were sent.
    this.#headers = {
      ...headers,
      requestCount: Math.max(headers.requestCount, known.requestCount),
      sentBytes: Math.max(headers.sentBytes, known.sentBytes),
    };
  }
}
