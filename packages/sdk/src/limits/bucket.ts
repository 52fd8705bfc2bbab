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
import { Lanes } from './lanes.ts';
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
  /** The place, if it has a pace of its own and requests to it wait for that, one after the other, instead of failing. */
  readonly lane?: string | undefined;
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
  readonly lane: string | undefined;
  readonly latestMs: number;
  readonly go: () => void;
  readonly fail: (error: unknown) => void;
}

type Turn = Pick<Ticket, 'place' | 'bytes' | 'lane' | 'latestMs'>;

/** The requests of one limit, first come, first served. None goes before the limit allows it. */
export class Bucket {
  readonly #options: BucketOptions;
  readonly #window = new LimitWindow();
  readonly #lanes = new Lanes();
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
      freeAtMs: Math.max(this.#window.freeAtMs(0, nowMs), this.#laneFreeAtMs(nowMs)),
      waiting: this.#queue.length,
      byteLimit: this.#window.byteLimit,
      sentBytes: this.#window.sentBytes(nowMs) + this.#pending.bytes,
    };
  }

  /** The result of `task`, once the limit has let it through. */
  async run<Value>(task: LimitedTask<Value>): Promise<Value> {
    const { longestWaitMs = Infinity, bytes, lane } = task;
    const mostMs = Math.min(this.#options.longestWaitMs, longestWaitMs);
    const latestMs = this.#options.clock.now() + mostMs;
    const turn: Turn = { place: this.#nextPlace++, bytes, lane, latestMs };
    for (;;) {
      await this.#turn(turn, task.signals);
      const outcome = await this.#attempt(turn, task);
      if (outcome.ok) {
        this.#goOn();
        return outcome.value;
      }
      const isFinal =
        task.longestWaitMs !== undefined || (lane === undefined && isOfOther(outcome, task));
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
      this.#note(outcome, task);
      return outcome;
    } catch (error) {
      this.#count(-1, turn.bytes);
      this.#goOn();
      throw error;
    }
  }

  #note(outcome: Outcome<unknown>, task: LimitedTask<unknown>): void {
    const nowMs = this.#options.clock.now();
    const headers = limitHeadersOf(outcome.headers);
    const retryAfterMs = outcome.ok ? undefined : retryAfterOf(outcome.error);
    const isOfPlace = isOfOther(outcome, task);
    if (retryAfterMs === undefined || isOfPlace) this.#window.answered(headers, nowMs);
    else this.#window.refused(headers, retryAfterMs, nowMs);
    if (task.lane === undefined) return;
    if (outcome.ok) this.#lanes.taken(task.lane);
    else if (isOfPlace) this.#lanes.refused(task.lane, retryAfterMs ?? 0, nowMs);
  }

  #mayGoAgain(error: HearthError, { bytes, lane, latestMs }: Turn): boolean {
    if (retryAfterOf(error) === undefined) return false;
    if (error instanceof FileSizeRateLimitedError) {
      const { byteLimit } = this.#window;
      if (byteLimit === undefined || bytes > byteLimit) return false;
    }
    const nowMs = this.#options.clock.now();
    const freeAtMs = this.#window.freeAtMs(bytes, nowMs);
    return Math.max(freeAtMs, this.#lanes.freeAtMs(lane, nowMs)) <= latestMs;
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
    const nowMs = clock.now();
    this.#refuseLate(({ lane }) => this.#lanes.freeAtMs(lane, nowMs), nowMs);
    for (let next = this.#next(nowMs); next !== undefined; next = this.#next(nowMs)) {
      if (this.#pending.requests >= this.#mostAtOnce) break;
      const freeAtMs = this.#window.freeAtMs(next.bytes, nowMs);
      if (freeAtMs > nowMs) {
        this.#refuseLate(() => freeAtMs, nowMs);
        if (this.#next(nowMs) !== next) continue;
        this.#stopTimer = clock.after(freeAtMs - nowMs, () => this.#goOn());
        break;
      }
      if (!this.#window.hasRoomBeside(this.#pending, next.bytes, nowMs)) break;
      const gone = next;
      this.#queue = this.#queue.filter((ticket) => ticket !== gone);
      this.#count(1, next.bytes);
      next.go();
    }
    const heldMs = this.#laneFreeAtMs(nowMs) - nowMs;
    if (heldMs > 0) this.#stopTimer = clock.after(heldMs, () => this.#goOn());
    this.#options.onChange(this.state);
  }

  /** The first request whose place lets it through. */
  #next(nowMs: number): Ticket | undefined {
    return this.#queue.find(({ lane }) => this.#lanes.freeAtMs(lane, nowMs) <= nowMs);
  }

  /** When a place lets one of the requests through; 0 if something else holds them back, or none waits. */
  #laneFreeAtMs(nowMs: number): number {
    if (this.#queue.length === 0 || this.#next(nowMs) !== undefined) return 0;
    return Math.min(...this.#queue.map(({ lane }) => this.#lanes.freeAtMs(lane, nowMs)));
  }

  #refuseLate(freeAtMsOf: (ticket: Ticket) => number, nowMs: number): void {
    const late = this.#queue.filter((ticket) => ticket.latestMs < freeAtMsOf(ticket));
    if (late.length === 0) return;
    this.#queue = this.#queue.filter((ticket) => !late.includes(ticket));
    const message = 'The wait for the limit is longer than this request may wait';
    for (const ticket of late) {
      ticket.fail(new RateLimitedError(message, freeAtMsOf(ticket) - nowMs));
    }
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
  { longestWaitMs, hasOwnPace = false, lane }: LimitedTask<unknown>,
): boolean {
  const headers = limitHeadersOf(outcome.headers);
  const retryAfterMs = outcome.ok ? undefined : retryAfterOf(outcome.error);
  if (headers === undefined || retryAfterMs === undefined) return false;
  const { requestCount, max, resetMs } = headers;
  const isPaced = hasOwnPace || lane !== undefined;
  return longestWaitMs !== undefined || (isPaced && (requestCount < max || retryAfterMs > resetMs));
}

function retryAfterOf(error: HearthError): number | undefined {
  const isRefusal = error instanceof RateLimitedError || error instanceof FileSizeRateLimitedError;
  return isRefusal ? error.retryAfterMs : undefined;
}
