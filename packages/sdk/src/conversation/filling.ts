import type { Id } from '@hearth/protocol';
import type { SdkClock } from '../clock.ts';
import { deferred } from '../deferred.ts';
import { mayPass } from '../errors.ts';
import { backoffMs } from '../gateway/backoff.ts';
import type { ConversationMessage, ListMessages } from './conversation.ts';
import { readPage, type HistoryPage, type Wanted } from './history-page.ts';
import { LiveBuffer } from './live-buffer.ts';

/** The missing part of a conversation, and the callbacks that take it. */
export interface FillingOptions<Message> {
  readonly list: ListMessages<Message>;
  /** True if the history has every message that was not deleted. */
  readonly isComplete?: boolean | undefined;
  readonly clock: SdkClock;
  readonly random: () => number;
  /** The missing messages come after this one. */
  readonly afterId: Id;
  /** Messages up to that one that may have changed, the oldest first. */
  readonly shown: readonly Id[];
  /** The number of missing events; undefined if the stream is a different one. */
  readonly missed: number | undefined;
  /** Resolves when everything that the gateway has sent so far has arrived; may stay pending if the connection ends. */
  readonly caughtUp: () => Promise<void>;
  readonly deliver: (message: Message, isRecovered: boolean) => void;
  /** A shown message as it is now. */
  readonly update: (message: Message) => void;
  /** A shown message was removed. */
  readonly remove: (id: Id) => void;
  /** Messages may be missing here. */
  readonly gap: () => void;
  /** Everything that could be read was delivered; the live messages come next. */
  readonly done: () => void;
}

/** The number of live messages, and of changes, that may wait meanwhile. */
const MOST_LIVE = 10_000;

/** The time for which the history may fail before the live messages are delivered without it. */
const PATIENCE_MS = 60_000;

/** Reads from the history what a client missed, while `live` takes what arrives meanwhile. */
export class Filling<Message extends ConversationMessage> {
  readonly live = new LiveBuffer<Message>(MOST_LIVE);
  readonly #options: FillingOptions<Message>;
  readonly #abort = new AbortController();
  readonly #stopped = deferred<void>();

  constructor(options: FillingOptions<Message>) {
    this.#options = options;
  }

  /** Delivers nothing more. */
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

  /** Returns whether all of it could be read. */
  async #read(): Promise<boolean> {
    let { afterId: lastId, shown } = this.#options;
    let isSameStream = this.#options.missed !== undefined;
    for (;;) {
      const page = await this.#patiently(() => this.#page({ lastId, shown }));
      if (page === undefined) return false;
      const isWhole = await this.#isWhole(page, isSameStream);
      // This filling was stopped: the next one delivers what is in this page.
      if (this.#abort.signal.aborted) return false;
      if (this.live.hasLostChanges) continue;
      const wasReadAgain = shown.length > 0;
      shown = page.unread;
      this.#refresh(page);
      if (page.shownBy === 'the next page') continue;
      if (!isWhole) this.#options.gap();
      for (const message of page.messages) this.#deliver(message);
      const newest = page.messages.at(-1);
      lastId = newest?.id ?? lastId;
      if (page.isLast && this.live.isWholeAfter(lastId)) return true;
      // A history that ignores the question would be read without end.
      if (newest === undefined && (page.isLast || !wasReadAgain)) return false;
      // The page belongs to the stream that is running now.
      isSameStream = true;
    }
  }

  #page(wanted: Omit<Wanted, 'isComplete'>): Promise<HistoryPage<Message>> {
    this.live.asking();
    const { list, isComplete = false } = this.#options;
    return readPage(list, { ...wanted, isComplete }, { signal: this.#abort.signal });
  }

  /** Resolves with whether the page proves that nothing is missing after the message that it follows. */
  async #isWhole(page: HistoryPage<Message>, isSameStream: boolean): Promise<boolean> {
    if (this.#options.isComplete === true) return true;
    switch (page.shownBy) {
      case 'message':
      case 'the next page':
        return true;
      case 'older message':
        // The owner removed it. If the stream is a different one, a crash may have taken it and more (LB10).
        return isSameStream;
      case 'nothing':
        return page.isLast && (await this.#hasAsManyAsMissed(page));
    }
  }

  /** Positions show how many are missing; messages that also come live do not count. */
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

  #deliver(message: Message): void {
    if (this.#abort.signal.aborted || this.live.isDeleted(message.id)) return;
    const live = this.live.get(message.id);
    this.#options.deliver(live ?? this.live.updated(message), live === undefined);
  }

  /** The result of `read`, retried after failures; undefined if it cannot succeed, takes too long, or was stopped. */
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
