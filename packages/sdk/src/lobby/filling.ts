import { compareIds, type Id } from '@hearth/protocol';
import type { SdkClock } from '../clock.ts';
import { deferred } from '../deferred.ts';
import { ApiError, NetworkError, QueueFullError, UnexpectedAnswerError } from '../errors.ts';
import { backoffMs } from '../gateway/backoff.ts';
import { pageAfter, type History, type HistoryPage } from './history-page.ts';
import { LiveBuffer, type LobbyReceived } from './live-buffer.ts';

/** What is missing, and who takes it. */
export interface FillingOptions {
  readonly history: History;
  readonly clock: SdkClock;
  readonly random: () => number;
  /** What is missing is behind this message. */
  readonly afterId: Id;
  /** How many events are missing; undefined where the stream is another one. */
  readonly missed: number | undefined;
  /** Resolves when everything that the gateway has sent until now is here; need not where the connection ends. */
  readonly caughtUp: () => Promise<void>;
  readonly tell: (message: LobbyReceived) => void;
  /** Something may be missing here. */
  readonly gap: () => void;
  /** What is missing was told, as far as it can be; the live messages come next. */
  readonly done: () => void;
}

/** Live messages that may wait meanwhile. */
const MOST_LIVE = 10_000;

/** How long the history may fail before the live messages are told without it. */
const PATIENCE_MS = 60_000;

/** Reads from the history what a client missed, while `live` takes what comes meanwhile. */
export class Filling {
  readonly live = new LiveBuffer(MOST_LIVE);
  readonly #options: FillingOptions;
  readonly #abort = new AbortController();
  readonly #stopped = deferred<void>();

  constructor(options: FillingOptions) {
    this.#options = options;
  }

  /** Nothing is told any more. */
  stop(): void {
    this.#abort.abort();
    this.#stopped.resolve();
  }

  /** Never rejects. */
  async run(): Promise<void> {
    const { afterId, gap, done } = this.#options;
    const isOver = await this.#readFrom(afterId);
    if (this.#abort.signal.aborted) return;
    if (!isOver) gap();
    done();
  }

  /** Whether all of it could be read. */
  async #readFrom(afterId: Id): Promise<boolean> {
    let lastId = afterId;
    let isSameStream = this.#options.missed !== undefined;
    for (;;) {
      const page = await this.#patiently(() => this.#page(lastId));
      if (page === undefined) return false;
      const isWhole = await this.#isWhole(page, isSameStream);
      // It was broken off: whatever this page tells, the next filling tells.
      if (this.#abort.signal.aborted) return false;
      if (!isWhole) this.#options.gap();
      for (const message of page.messages) this.#tell(message);
      const newest = page.messages.at(-1);
      // A history that gives what was not asked for would be read for ever.
      if (newest !== undefined && compareIds(newest.id, lastId) <= 0) return false;
      lastId = newest?.id ?? lastId;
      if (page.isLast && this.live.isWholeAfter(lastId)) return true;
      if (page.isLast && newest === undefined) return false;
      // What was just read is of the stream that is running now.
      isSameStream = true;
    }
  }

  #page(afterId: Id): Promise<HistoryPage> {
    return pageAfter(this.#options.history, afterId, { signal: this.#abort.signal });
  }

  /** Whether the page shows that it has everything behind the message that it follows. */
  async #isWhole(page: HistoryPage, isSameStream: boolean): Promise<boolean> {
    switch (page.shownBy) {
      case 'message':
        return true;
      case 'older message':
        // The owner removed it; but where the stream is another one, a crash may have taken it and more (LB10).
        return isSameStream;
      case 'nothing':
        return page.isLast && (await this.#hasAsManyAsMissed(page));
    }
  }

  /** Positions tell how many are missing; messages that come live as well are none of these. */
  async #hasAsManyAsMissed({ messages }: HistoryPage): Promise<boolean> {
    const { missed, caughtUp } = this.#options;
    if (missed === undefined || messages.length < missed) return false;
    await Promise.race([caughtUp(), this.#stopped.promise]);
    return messages.filter(({ id }) => this.live.get(id) === undefined).length >= missed;
  }

  #tell(message: LobbyReceived): void {
    if (this.#abort.signal.aborted) return;
    this.#options.tell(this.live.get(message.id) ?? { ...message, isRecovered: true });
  }

  /** What `read` gives, however often it fails; undefined when it cannot succeed, or patience is over, or it was stopped. */
  async #patiently<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
    const { clock, random } = this.#options;
    const untilMs = clock.now() + PATIENCE_MS;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await read();
      } catch (error) {
        if (this.#abort.signal.aborted || !mayPass(error) || clock.now() > untilMs)
          return undefined;
        await this.#pause(backoffMs(attempt, random));
      }
    }
  }

  #pause(delayMs: number): Promise<void> {
    const { signal } = this.#abort;
    return new Promise((resolve) => {
      const stopTimer = this.#options.clock.after(delayMs, resolve);
      signal.addEventListener('abort', () => {
        stopTimer();
        resolve();
      });
    });
  }
}

/** Whether it may be otherwise soon. */
function mayPass(error: unknown): boolean {
  if (error instanceof NetworkError || error instanceof QueueFullError) return true;
  if (!(error instanceof ApiError || error instanceof UnexpectedAnswerError)) return false;
  return error.status === 429 || (error.status ?? 0) >= 500;
}
