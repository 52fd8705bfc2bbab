import type { SdkClock } from '../clock.ts';
import { deferred } from '../deferred.ts';
import {
  FileSizeRateLimitedError,
  QueueFullError,
  RateLimitedError,
  type HearthError,
} from '../errors.ts';
import type { LimitState } from '../types.ts';
import { limitHeadersOf, type HeaderReader } from './limit-headers.ts';
import { LimitWindow, type Pending } from './limit-window.ts';

/** The outcome of one attempt; an answer with an error is one too. An attempt without an answer throws. */
export type Outcome<Value> = { readonly headers: HeaderReader } & (
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: HearthError }
);

/** A request that counts towards a limit; it is tried again whenever the limit refuses it. */
export interface LimitedTask<Value> {
  /** How much it counts if bytes are limited. */
  readonly bytes: number;
  readonly signals: readonly (AbortSignal | undefined)[];
  /**
   * How long it waits at most, if that is less than usual, because a person waits for it. If it is refused, it is not tried
   * again, and others do not wait longer: an instance has limits of its own for wrong passwords, for example.
   */
  readonly longestWaitMs?: number | undefined;
  /** Whether its place may have a pace of its own, such as slow mode: if that refuses it, requests elsewhere do not wait. */
  readonly hasOwnPace?: boolean | undefined;
  attempt(): Promise<Outcome<Value>>;
}

/** How a bucket behaves. */
export interface BucketOptions {
  readonly clock: SdkClock;
  /** How many requests may be in flight at a time; with 1 they arrive in order. */
  readonly mostAtOnce: number;
  readonly mostWaiting: number;
  readonly longestWaitMs: number;
  onChange(state: LimitState): void;
}

interface Ticket {
  /** Tickets go in this order, including those that have to go again. */
  readonly place: number;
  readonly bytes: number;
  readonly latestMs: number;
  readonly go: () => void;
  readonly fail: (error: unknown) => void;
}

type Turn = Pick<Ticket, 'place' | 'bytes' | 'latestMs'>;

/** The requests of one limit, first come, first served. None goes before the limit allows it. */
export class Bucket {
  readonly #options: BucketOptions;
  readonly #window = new LimitWindow();
  #queue: readonly Ticket[] = [];
  #pending: Pending = { requests: 0, bytes: 0 };
  #nextPlace = 0;
  #stopTimer: (() => void) | undefined;

  constructor(options: BucketOptions) {
    this.#options = options;
  }

  get state(): LimitState {
    const nowMs = this.#options.clock.now();
    return {
      limit: this.#window.limit,
      used: this.#window.used(nowMs) + this.#pending.requests,
      resetsAtMs: this.#window.resetsAtMs(nowMs),
      freeAtMs: this.#window.freeAtMs(0, nowMs),
      waiting: this.#queue.length,
      byteLimit: this.#window.byteLimit,
      sentBytes: this.#window.sentBytes(nowMs) + this.#pending.bytes,
    };
  }

  /** The result of `task`, once the limit has let it through. */
  async run<Value>(task: LimitedTask<Value>): Promise<Value> {
    const { longestWaitMs = Infinity } = task;
    const mostMs = Math.min(this.#options.longestWaitMs, longestWaitMs);
    const latestMs = this.#options.clock.now() + mostMs;
    const turn: Turn = { place: this.#nextPlace++, bytes: task.bytes, latestMs };
    for (;;) {
      await this.#turn(turn, task.signals);
      const outcome = await this.#attempt(turn, task);
      if (outcome.ok) {
        this.#goOn();
        return outcome.value;
      }
      const isFinal = task.longestWaitMs !== undefined || isOfOther(outcome, task);
      if (isFinal || !this.#mayGoAgain(outcome.error, turn)) {
        this.#goOn();
        throw outcome.error;
      }
      // No other request goes before it is back in its place in the queue.
    }
  }

  async #attempt<Value>(turn: Turn, task: LimitedTask<Value>): Promise<Outcome<Value>> {
    try {
      const outcome = await task.attempt();
      this.#count(-1, turn.bytes);
      this.#note(outcome, isOfOther(outcome, task));
      return outcome;
    } catch (error) {
      this.#count(-1, turn.bytes);
      this.#goOn();
      throw error;
    }
  }

  #note(outcome: Outcome<unknown>, isRefusedElsewhere: boolean): void {
    const nowMs = this.#options.clock.now();
    const headers = limitHeadersOf(outcome.headers);
    const retryAfterMs = outcome.ok ? undefined : retryAfterOf(outcome.error);
    if (retryAfterMs === undefined || isRefusedElsewhere) this.#window.answered(headers, nowMs);
    else this.#window.refused(headers, retryAfterMs, nowMs);
  }

  #mayGoAgain(error: HearthError, { bytes, latestMs }: Turn): boolean {
    if (retryAfterOf(error) === undefined) return false;
    if (error instanceof FileSizeRateLimitedError) {
      const { byteLimit } = this.#window;
      if (byteLimit === undefined || bytes > byteLimit) return false;
    }
    return this.#window.freeAtMs(bytes, this.#options.clock.now()) <= latestMs;
  }

  async #turn(turn: Turn, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
    const { promise, resolve, reject } = deferred<void>();
    const ticket: Ticket = { ...turn, go: resolve, fail: reject };
    const follow = signals.filter((signal) => signal !== undefined);
    const onAbort = () => this.#drop(ticket, follow.find(({ aborted }) => aborted)?.reason);
    this.#queue = [...this.#queue, ticket].toSorted((one, other) => one.place - other.place);
    for (const signal of follow) signal.addEventListener('abort', onAbort);
    if (follow.some(({ aborted }) => aborted)) onAbort();
    this.#goOn();
    if (this.#queue.length > this.#options.mostWaiting && this.#queue.at(-1) === ticket) {
      this.#drop(
        ticket,
        new QueueFullError(`${this.#options.mostWaiting} requests are already waiting`),
      );
    }
    try {
      await promise;
    } finally {
      for (const signal of follow) signal.removeEventListener('abort', onAbort);
    }
  }

  #drop(ticket: Ticket, reason: unknown): void {
    if (!this.#queue.includes(ticket)) return;
    this.#queue = this.#queue.filter((other) => other !== ticket);
    ticket.fail(reason);
    this.#goOn();
  }

  /** Sends what the limit allows, refuses what would wait too long, and runs again when the limit allows the next one. */
  #goOn(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    const { clock } = this.#options;
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      if (this.#pending.requests >= this.#mostAtOnce) break;
      const nowMs = clock.now();
      const freeAtMs = this.#window.freeAtMs(next.bytes, nowMs);
      if (freeAtMs > nowMs) {
        this.#refuseLate(freeAtMs, nowMs);
        if (this.#queue[0] !== next) continue;
        this.#stopTimer = clock.after(freeAtMs - nowMs, () => this.#goOn());
        break;
      }
      if (!this.#window.hasRoomBeside(this.#pending, next.bytes, nowMs)) break;
      this.#queue = this.#queue.slice(1);
      this.#count(1, next.bytes);
      next.go();
    }
    this.#options.onChange(this.state);
  }

  #refuseLate(freeAtMs: number, nowMs: number): void {
    const late = this.#queue.filter(({ latestMs }) => latestMs < freeAtMs);
    if (late.length === 0) return;
    this.#queue = this.#queue.filter((ticket) => !late.includes(ticket));
    const message = 'The wait for the limit is longer than this request may wait';
    for (const { fail } of late) fail(new RateLimitedError(message, freeAtMs - nowMs));
  }

  get #mostAtOnce(): number {
    // The first answer shows what the limit is.
    return this.#window.isAnswered ? this.#options.mostAtOnce : 1;
  }

  #count(sign: 1 | -1, bytes: number): void {
    const { requests, bytes: before } = this.#pending;
    this.#pending = { requests: requests + sign, bytes: before + sign * bytes };
  }
}

/** Whether something other than this limit has refused a request. The headers describe this limit. */
function isOfOther(
  outcome: Outcome<unknown>,
  { longestWaitMs, hasOwnPace = false }: Pick<LimitedTask<unknown>, 'longestWaitMs' | 'hasOwnPace'>,
): boolean {
  const headers = limitHeadersOf(outcome.headers);
  const retryAfterMs = outcome.ok ? undefined : retryAfterOf(outcome.error);
  if (headers === undefined || retryAfterMs === undefined) return false;
  const { requestCount, max, resetMs } = headers;
  return (
    longestWaitMs !== undefined || (hasOwnPace && (requestCount < max || retryAfterMs > resetMs))
  );
}

function retryAfterOf(error: HearthError): number | undefined {
  const isRefusal = error instanceof RateLimitedError || error instanceof FileSizeRateLimitedError;
  return isRefusal ? error.retryAfterMs : undefined;
}
