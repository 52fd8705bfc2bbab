import type { SdkClock } from '../clock.ts';
import { deferred } from '../deferred.ts';
import { FileSizeRateLimitedError, QueueFullError, RateLimitedError } from '../errors.ts';
import type { LimitState } from '../types.ts';
import { limitHeadersOf } from './limit-headers.ts';
import { Lanes } from './lanes.ts';
import { LimitWindow, waitAfterRefusal, type Pending } from './limit-window.ts';
import {
  busyError,
  isBusy,
  isOfOther,
  retryAfterOf,
  type Failure,
  type Outcome,
} from './outcome.ts';
import { waitAfterBusy } from './wait-after-busy.ts';

/** A request that counts towards a limit; it is tried again whenever the limit refuses it, and while its place is busy. */
export interface LimitedTask<Value> {
  /** Requests to the same address keep their order while it is busy. */
  readonly address: string;
  /** The bytes that it counts if bytes are limited. */
  readonly bytes: number;
  readonly signals: readonly (AbortSignal | undefined)[];
  /**
   * The longest time that it waits, if that is less than usual, because a person waits for it. If it is refused, it is
   * not tried again, and others do not wait longer: an instance has limits of its own for wrong passwords, for example.
   */
  readonly longestWaitMs?: number | undefined;
  /**
   * True if its place may have a pace of its own, such as slow mode: if that refuses it, requests elsewhere do not
   * wait.
   */
  readonly hasOwnPace?: boolean | undefined;
  /** The place, if it has a pace of its own and requests to it wait for that, one after the other, instead of failing. */
  readonly lane?: string | undefined;
  /** The time for which it is tried again while its place is busy, if not as long as usual. */
  readonly longestBusyWaitMs?: number | undefined;
  attempt(): Promise<Outcome<Value>>;
}

export interface BucketOptions {
  readonly clock: SdkClock;
  /** The number of requests that may be in flight at a time; with 1 they arrive in order. */
  readonly mostAtOnce: number;
  readonly mostWaiting: number;
  readonly longestWaitMs: number;
  readonly longestBusyWaitMs: number;
  /** Random numbers from 0 to below 1. */
  readonly random: () => number;
  onChange(state: LimitState): void;
}

interface Ticket {
  /** Tickets go in this order, including those that have to go again. */
  readonly place: number;
  readonly bytes: number;
  readonly address: string;
  readonly lane: string | undefined;
  readonly startMs: number;
  readonly latestMs: number;
  readonly longestBusyWaitMs: number;
  readonly go: () => void;
  readonly fail: (error: unknown) => void;
}

type Turn = Omit<Ticket, 'go' | 'fail'>;

/** The requests of one limit, first come, first served. None goes before the limit allows it. */
export class Bucket {
  readonly #options: BucketOptions;
  readonly #window = new LimitWindow();
  readonly #lanes = new Lanes(waitAfterRefusal);
  readonly #busy: Lanes;
  /** The requests that a busy place has refused, and that are tried again. */
  readonly #repeating = new Set<Turn>();
  #queue: readonly Ticket[] = [];
  #pending: Pending = { requests: 0, bytes: 0 };
  #nextPlace = 0;
  #stopTimer: (() => void) | undefined;

  constructor(options: BucketOptions) {
    this.#options = options;
    this.#busy = new Lanes((retryAfterMs, refusalsInRow) =>
      waitAfterBusy(retryAfterMs, { refusalsInRow, random: options.random() }),
    );
  }

  get state(): LimitState {
    const nowMs = this.#options.clock.now();
    return {
      limit: this.#window.limit,
      used: this.#window.used(nowMs) + this.#pending.requests,
      resetsAtMs: this.#window.resetsAtMs(nowMs),
      freeAtMs: Math.max(this.#window.freeAtMs(0, nowMs), this.#laneFreeAtMs(nowMs)),
      waiting: this.#queue.length,
      repeating: this.#repeating.size,
      byteLimit: this.#window.byteLimit,
      sentBytes: this.#window.sentBytes(nowMs) + this.#pending.bytes,
    };
  }

  /** The result of `task`, once the limit has let it through. */
  async run<Value>(task: LimitedTask<Value>): Promise<Value> {
    const turn = this.#turnOf(task);
    try {
      for (;;) {
        await this.#turn(turn, task.signals);
        const outcome = await this.#attempt(turn, task);
        if (outcome.ok) return outcome.value;
        if (!this.#mayGoAgain(outcome, turn, task)) throw outcome.error;
        if (isBusy(outcome.error)) this.#repeating.add(turn);
        // No other request goes before it is back in its place in the queue.
      }
    } finally {
      this.#repeating.delete(turn);
      this.#goOn();
    }
  }

  #turnOf({ address, bytes, lane, ...task }: LimitedTask<unknown>): Turn {
    const { clock, longestWaitMs, longestBusyWaitMs } = this.#options;
    const startMs = clock.now();
    return {
      place: this.#nextPlace++,
      address,
      bytes,
      lane,
      startMs,
      latestMs: startMs + Math.min(longestWaitMs, task.longestWaitMs ?? Infinity),
      longestBusyWaitMs: task.longestBusyWaitMs ?? longestBusyWaitMs,
    };
  }

  async #attempt<Value>(turn: Turn, task: LimitedTask<Value>): Promise<Outcome<Value>> {
    try {
      const outcome = await task.attempt();
      this.#count(-1, turn.bytes);
      return this.#note(outcome, task);
    } catch (error) {
      this.#count(-1, turn.bytes);
      throw error;
    }
  }

  /** Learns from an answer, and returns it. If the place is busy, its time to wait is the one that is kept here. */
  #note<Value>(outcome: Outcome<Value>, task: LimitedTask<Value>): Outcome<Value> {
    const nowMs = this.#options.clock.now();
    const headers = limitHeadersOf(outcome.headers);
    const { address } = task;
    if (!outcome.ok && isBusy(outcome.error)) {
      const { message, retryAfterMs } = outcome.error;
      this.#window.answered(headers, nowMs);
      this.#busy.refused(address, retryAfterMs, nowMs);
      return { ...outcome, error: busyError(message, this.#busy.freeAtMs(address, nowMs) - nowMs) };
    }
    this.#busy.taken(address);
    const retryAfterMs = outcome.ok ? undefined : retryAfterOf(outcome.error);
    const isOfPlace = isOfOther(outcome, task);
    if (retryAfterMs === undefined || isOfPlace) this.#window.answered(headers, nowMs);
    else this.#window.refused(headers, retryAfterMs, nowMs);
    if (task.lane === undefined) return outcome;
    if (outcome.ok) this.#lanes.taken(task.lane);
    else if (isOfPlace) this.#lanes.refused(task.lane, retryAfterMs ?? 0, nowMs);
    return outcome;
  }

  #mayGoAgain(outcome: Failure, turn: Turn, task: LimitedTask<unknown>): boolean {
    const { error } = outcome;
    const { bytes, lane, latestMs } = turn;
    if (isBusy(error)) return !this.#isBusyTooLong(turn, this.#options.clock.now());
    if (retryAfterOf(error) === undefined || task.longestWaitMs !== undefined) return false;
    if (lane === undefined && isOfOther(outcome, task)) return false;
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
    this.#refuseBusy(nowMs);
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
    const heldMs = this.#firstFreeAtMs((ticket) => this.#heldUntilMs(ticket, nowMs), nowMs) - nowMs;
    if (heldMs > 0) this.#stopTimer = clock.after(heldMs, () => this.#goOn());
    this.#options.onChange(this.state);
  }

  /** The first request whose place lets it through. */
  #next(nowMs: number): Ticket | undefined {
    return this.#queue.find((ticket) => this.#heldUntilMs(ticket, nowMs) <= nowMs);
  }

  #heldUntilMs({ lane, address }: Ticket, nowMs: number): number {
    return Math.max(this.#lanes.freeAtMs(lane, nowMs), this.#busy.freeAtMs(address, nowMs));
  }

  /** When the pace of a place lets one of the requests through; 0 if something else holds them back, or none waits. */
  #laneFreeAtMs(nowMs: number): number {
    return this.#firstFreeAtMs(({ lane }) => this.#lanes.freeAtMs(lane, nowMs), nowMs);
  }

  #firstFreeAtMs(freeAtMsOf: (ticket: Ticket) => number, nowMs: number): number {
    const first = Math.min(...this.#queue.map(freeAtMsOf));
    return first > nowMs && first < Infinity ? first : 0;
  }

  /** Returns whether a busy place keeps a request for longer than it may wait. */
  #isBusyTooLong({ address, startMs, latestMs, longestBusyWaitMs }: Turn, nowMs: number): boolean {
    const sinceMs = Math.max(startMs, this.#busy.refusesSinceMs(address));
    return this.#busy.freeAtMs(address, nowMs) > Math.min(latestMs, sinceMs + longestBusyWaitMs);
  }

  #refuseBusy(nowMs: number): void {
    const freeAtMsOf = ({ address }: Ticket) => this.#busy.freeAtMs(address, nowMs);
    const late = this.#queue.filter(
      (ticket) => freeAtMsOf(ticket) > nowMs && this.#isBusyTooLong(ticket, nowMs),
    );
    this.#queue = this.#queue.filter((ticket) => !late.includes(ticket));
    for (const ticket of late) {
      ticket.fail(busyError('Its place is busy', freeAtMsOf(ticket) - nowMs));
    }
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
