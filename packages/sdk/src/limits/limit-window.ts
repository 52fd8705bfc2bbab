import type { LimitHeaders } from './limit-headers.ts';

/** What is on its way and not answered yet. */
export interface Pending {
  readonly requests: number;
  readonly bytes: number;
}

const NOTHING: Pending = { requests: 0, bytes: 0 };

/** Consecutive refusals wait longer each time, in case an instance tells a `retry_after` that does not help. */
const WAIT_PER_REFUSAL_MS = 250;
const LONGEST_REFUSAL_WAIT_MS = 30_000;

/**
 * The time frame of one limit, as far as answers tell. They give its start by the instance's clock, which may differ
 * from ours; an answer that came at `t` bounds the difference by `t` minus that start, and the least bound is kept.
 */
export class LimitWindow {
  #told: LimitHeaders | undefined;
  /** Own clock minus the instance's, or more. */
  #offsetMs = Infinity;
  #pausedUntilMs = 0;
  #refusalsInRow = 0;
  #latestMs = -Infinity;
  #isAnswered = false;

  /** Whether an answer came yet, with headers or without. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  get limit(): number | undefined {
    return this.#told?.max;
  }

  get byteLimit(): number | undefined {
    return this.#told?.byteMax;
  }

  /** Takes in what an answer told that came at `nowMs`; undefined where it told nothing. */
  answered(told: LimitHeaders | undefined, nowMs: number): void {
    this.#isAnswered = true;
    this.#refusalsInRow = 0;
    if (told !== undefined) this.#note(told, nowMs);
  }

  /** The instance refused at `nowMs` and asks to wait: that tells exactly what its clock says. */
  refused(told: LimitHeaders | undefined, retryAfterMs: number, nowMs: number): void {
    this.#isAnswered = true;
    if (told !== undefined) {
      this.#note(told, nowMs);
      const serverNowMs = told.lastResetMs + told.resetMs - retryAfterMs;
      if (serverNowMs >= told.lastResetMs) this.#offsetMs = nowMs - serverNowMs;
    }
    const patience = Math.min(this.#refusalsInRow * WAIT_PER_REFUSAL_MS, LONGEST_REFUSAL_WAIT_MS);
    this.#pausedUntilMs = nowMs + Math.max(1, retryAfterMs, patience);
    this.#refusalsInRow += 1;
  }

  /** When a request with `bytes` may go out, as far as answers tell; not later than `nowMs` where it may at once. */
  freeAtMs(bytes: number, nowMs: number): number {
    const end = this.resetsAtMs(nowMs);
    return Math.max(this.#pausedUntilMs, this.#hasRoom(bytes, NOTHING, nowMs) ? 0 : end);
  }

  /** Whether a request with `bytes` fits beside what is pending; otherwise the answers to that tell more. */
  hasRoomBeside(pending: Pending, bytes: number, nowMs: number): boolean {
    return pending.requests === 0 || this.#hasRoom(bytes, pending, nowMs);
  }

  /** When the time frame ends, by the own clock; 0 where none is known to run. */
  resetsAtMs(nowMs: number): number {
    this.#notice(nowMs);
    const told = this.#told;
    if (told === undefined) return 0;
    const end = told.lastResetMs + told.resetMs + this.#offsetMs;
    return end > nowMs ? end : 0;
  }

  used(nowMs: number): number {
    return this.resetsAtMs(nowMs) > 0 ? (this.#told?.requestCount ?? 0) : 0;
  }

  sentBytes(nowMs: number): number {
    return this.resetsAtMs(nowMs) > 0 ? (this.#told?.sentBytes ?? 0) : 0;
  }

  #hasRoom(bytes: number, pending: Pending, nowMs: number): boolean {
    const told = this.#told;
    if (told === undefined) return true;
    if (this.used(nowMs) + pending.requests >= told.max) return false;
    const { byteMax = Infinity } = told;
    // What never fits is for the instance to refuse.
    return bytes > byteMax || this.sentBytes(nowMs) + pending.bytes + bytes <= byteMax;
  }

  /** Where the own clock was set back, everything that was reckoned by it moves along. */
  #notice(nowMs: number): void {
    const backMs = Math.max(0, this.#latestMs - nowMs);
    this.#offsetMs -= backMs;
    this.#pausedUntilMs -= backMs;
    this.#latestMs = nowMs;
  }

  #note(told: LimitHeaders, nowMs: number): void {
    const known = this.#told;
    const isRunning = this.resetsAtMs(nowMs) > 0;
    this.#offsetMs = Math.min(this.#offsetMs, nowMs - told.lastResetMs);
    // An answer of an earlier time frame that came late.
    if (known !== undefined && isRunning && told.lastResetMs < known.lastResetMs) return;
    if (known === undefined || told.lastResetMs !== known.lastResetMs) {
      this.#told = told;
      return;
    }
    // Answers of one time frame may come in another order than they were given in.
    this.#told = {
      ...told,
      requestCount: Math.max(told.requestCount, known.requestCount),
      sentBytes: Math.max(told.sentBytes, known.sentBytes),
    };
  }
}
