import type { Id } from '@hearth/protocol';
import type { SdkClock } from '../clock.ts';
import { deferred } from '../deferred.ts';
import { mayPass } from '../errors.ts';
import { backoffMs } from '../gateway/backoff.ts';
import type { ConversationMessage, ListMessages } from './conversation.ts';
import { readPage, type HistoryPage, type Wanted } from './history-page.ts';
import { LiveBuffer } from './live-buffer.ts';

/** What is missing, and who takes it. */
export interface FillingOptions<Message> {
  readonly list: ListMessages<Message>;
  readonly clock: SdkClock;
  readonly random: () => number;
  /** What is missing is after this message. */
  readonly afterId: Id;
  /** Messages up to that one which may have changed, the oldest first. */
  readonly shown: readonly Id[];
  /** How many events are missing; undefined if the stream is another one. */
  readonly missed: number | undefined;
  /** Resolves when everything that the gateway has sent until now is here; need not if the connection ends. */
  readonly caughtUp: () => Promise<void>;
  readonly tell: (message: Message, isRecovered: boolean) => void;
  /** One of those shown, as it is now. */
  readonly update: (message: Message) => void;
  /** One of those shown was removed. */
  readonly remove: (id: Id) => void;
  /** Something may be missing here. */
  readonly gap: () => void;
  /** What is missing was told, as far as it can be; the live messages come next. */
  readonly done: () => void;
}

/** Live messages that may wait meanwhile, and changes of messages. */
const MOST_LIVE = 10_000;

/** How long the history may fail before the live messages are told without it. */
const PATIENCE_MS = 60_000;

/** Reads from the history what a client missed, while `live` takes what comes meanwhile. */
export class Filling<Message extends ConversationMessage> {
  readonly live = new LiveBuffer<Message>(MOST_LIVE);
  readonly #options: FillingOptions<Message>;
  readonly #abort = new AbortController();
  readonly #stopped = deferred<void>();

  constructor(options: FillingOptions<Message>) {
    this.#options = options;
  }

  /** Nothing is told any more. */
  stop(): void {
    this.#abort.abort();
    this.#stopped.resolve();
  }

  /** Never rejects. */
  async run(): Promise<void> {
    const { gap, done } = this.#options;
    const isOver = await this.#read();
    if (this.#abort.signal.aborted) return;
    if (!isOver) gap();
    done();
  }

  /** Whether all of it could be read. */
  async #read(): Promise<boolean> {
    let { afterId: lastId, shown } = this.#options;
    let isSameStream = this.#options.missed !== undefined;
    for (;;) {
      const page = await this.#patiently(() => this.#page({ lastId, shown }));
      if (page === undefined) return false;
      const isWhole = await this.#isWhole(page, isSameStream);
      // It was broken off: whatever this page tells, the next filling tells.
      if (this.#abort.signal.aborted) return false;
      if (this.live.hasLostChanges) continue;
      const wasReadAgain = shown.length > 0;
      shown = page.unread;
      this.#refresh(page);
      if (page.shownBy === 'the next page') continue;
      if (!isWhole) this.#options.gap();
      for (const message of page.messages) this.#tell(message);
      const newest = page.messages.at(-1);
      lastId = newest?.id ?? lastId;
      if (page.isLast && this.live.isWholeAfter(lastId)) return true;
      // A history that gives what was not asked for would be read for ever.
      if (newest === undefined && (page.isLast || !wasReadAgain)) return false;
      // What was just read is of the stream that is running now.
      isSameStream = true;
    }
  }

  #page(wanted: Wanted): Promise<HistoryPage<Message>> {
    this.live.asking();
    return readPage(this.#options.list, wanted, { signal: this.#abort.signal });
  }

  /** Whether the page shows that it has everything after the message that it follows. */
  async #isWhole(page: HistoryPage<Message>, isSameStream: boolean): Promise<boolean> {
    switch (page.shownBy) {
      case 'message':
      case 'the next page':
        return true;
      case 'older message':
        // The owner removed it; but if the stream is another one, a crash may have taken it and more (LB10).
        return isSameStream;
      case 'nothing':
        return page.isLast && (await this.#hasAsManyAsMissed(page));
    }
  }

  /** Positions tell how many are missing; messages that come live as well are none of these. */
  async #hasAsManyAsMissed({ messages }: HistoryPage<Message>): Promise<boolean> {
    const { missed, caughtUp } = this.#options;
    if (missed === undefined || messages.length < missed) return false;
    await Promise.race([caughtUp(), this.#stopped.promise]);
    return messages.filter(({ id }) => !this.live.has(id)).length >= missed;
  }

  #refresh({ again, gone }: HistoryPage<Message>): void {
    for (const message of again) this.#options.update(this.live.updated(message));
    for (const id of gone) this.#options.remove(id);
  }

  #tell(message: Message): void {
    if (this.#abort.signal.aborted || this.live.isDeleted(message.id)) return;
    const live = this.live.get(message.id);
    this.#options.tell(live ?? this.live.updated(message), live === undefined);
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
