import { compareIds, type Id, type LobbyMessage } from '@hearth/protocol';
import type { Clock } from '../../clock.ts';
import type { HistoryBounds } from '../../config/config.ts';
import type { Logger } from '../../log/logger.ts';
import type { Database } from '../../ports/database/database.ts';
import {
  deleteOutdated,
  insertMessages,
  isWithin,
  lengthOf,
  selectLastNumber,
  selectMessages,
  type MessageRange,
  type Outdated,
  type StoredMessage,
} from './store.ts';

/** How long a group gathers before it is written, so that it is there within 100 ms. */
const GATHER_MS = 75;

/** How long after a failure the next attempt is made. */
const RETRY_MS = 1_000;

/** What is written at once at most, in messages and UTF-16 units, which holds up the process for some milliseconds. */
const MOST_AT_ONCE = 4_096;
const MOST_LENGTH_AT_ONCE = 512 * 1024;

/** What may wait while nothing can be written, in UTF-16 units; then the oldest is lost. */
const MOST_WAITING_LENGTH = 32 * 1024 ** 2;

/** Rows deleted at once, which holds up the process for about a millisecond. */
const DELETED_AT_ONCE = 64;

/** How long everyone else has the process to themselves in between. */
const BETWEEN_DELETIONS_MS = 20;

/** Rows deleted beside every write, but for twice as many as come. */
const ROWS_BESIDE = 8;

/** How often old messages are looked for where none come, or the owner keeps fewer than before. */
const TRIM_PERIOD_MS = 60_000;
const FIRST_TRIM_MS = 1_000;

const DAY_MS = 86_400_000;

/** What a history is kept with. */
export interface HistoryOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly bounds: HistoryBounds;
}

/** Which messages are asked for: those closest after `after`, or else the newest, before `before` and behind `after`. */
export interface HistoryQuery {
  readonly after: Id | undefined;
  readonly before: Id | undefined;
  readonly limit: number;
}

/** The history of the lobby, as it was last time. */
export async function openHistory(options: HistoryOptions): Promise<History> {
  return new History(options, await selectLastNumber(options.database));
}

/**
 * The newest messages of the lobby. They are written in groups, so that a post waits for no disk; what is not written
 * yet is read from memory. Every message has a number, and what is kept are the newest numbers: a message that is
 * beyond them stays so, whatever is removed later and whenever it is deleted.
 */
export class History implements AsyncDisposable {
  readonly #options: HistoryOptions;
  readonly #stopTrimming: () => void;
  readonly #firstTrim: NodeJS.Timeout;
  /** In the order of dispatch; the first of them may be under way to the disk. */
  #waiting: StoredMessage[] = [];
  #lastNumber: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> | undefined;
  #trimming: Promise<void> | undefined;
  #isFailing = false;
  #isEnding = false;

  constructor(options: HistoryOptions, lastNumber: number) {
    this.#options = options;
    this.#lastNumber = lastNumber;
    this.#stopTrimming = options.clock.every(TRIM_PERIOD_MS, () => this.#trim());
    this.#firstTrim = setTimeout(() => this.#trim(), FIRST_TRIM_MS);
    this.#firstTrim.unref();
  }

  /** Keeps a message that is being dispatched, behind all that were before. It is on the disk within 100 ms. */
  append(message: LobbyMessage): void {
    if (this.#options.bounds.messages === 0) return;
    this.#lastNumber += 1;
    this.#waiting.push({ number: this.#lastNumber, message });
    this.#writeSoon(GATHER_MS);
  }

  /** The messages that are asked for, the newest first. */
  async list({ after, before, limit }: HistoryQuery): Promise<readonly LobbyMessage[]> {
    if (this.#options.bounds.messages === 0) return [];
    // What is written while the store is read is known from here.
    const range = { ...this.#outdated(), after, before };
    const waiting = this.#waiting
      .filter(({ number, message }) => isWithin(range, number)(message))
      .map(({ message }) => message);
    const written = { ...range, before: earlier(before, this.#waiting[0]?.message.id) };
    if (after !== undefined && before === undefined) {
      const oldest = await this.#read({ ...written, limit, from: 'oldest' });
      return [...waiting.slice(0, limit - oldest.length).toReversed(), ...oldest];
    }
    const newest = waiting.slice(-limit).toReversed();
    const older = await this.#read({ ...written, limit: limit - newest.length, from: 'newest' });
    return [...newest, ...older];
  }

  /** Resolves when everything is written that was appended before; rejects where it could not be. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0) await (this.#writing ??= this.#write());
  }

  /** Writes what waits. Where that fails it is lost, and the log tells of it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    this.#stopTrimming();
    clearTimeout(this.#firstTrim);
    clearTimeout(this.#timer);
    await this.#trimming;
    try {
      // What is under way may be an attempt that has waited long enough to fail.
      await this.#writing?.catch(() => {});
      await this.flush();
    } catch (error) {
      const { length } = this.#waiting;
      this.#options.log.error({ err: error, messages: length }, 'the end of the history is lost');
    }
  }

  async #read(range: MessageRange): Promise<readonly LobbyMessage[]> {
    if (range.limit === 0) return [];
    return selectMessages(await this.#options.database.reader(), range);
  }

  #outdated(): Outdated {
    const { bounds, clock } = this.#options;
    return {
      afterNumber: this.#lastNumber - bounds.messages,
      sinceMs: clock.unixMs() - bounds.days * DAY_MS,
    };
  }

  #writeSoon(delayMs: number): void {
    if (this.#timer !== undefined || this.#isEnding) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#writing !== undefined) return;
      this.#writing = this.#write();
      // Told of in the log, and tried again.
      this.#writing.catch(() => {});
    }, delayMs);
  }

  async #write(): Promise<void> {
    const group = firstOf(this.#waiting);
    // Others may come while it is written: they gather. Those that were there and did not fit are late already.
    const isFull = group.length < this.#waiting.length;
    try {
      const { afterNumber } = this.#outdated();
      const kept = group.filter(({ number }) => number > afterNumber);
      await this.#options.database.quietTransaction(async (writer) => {
        const rows = await insertMessages(writer, kept);
        // More than came, so that what is left from an hour of many small groups goes too, and not a second sync for it.
        await deleteOutdated(writer, this.#outdated(), 2 * rows + ROWS_BESIDE);
      });
      this.#waiting = this.#waiting.slice(group.length);
      this.#succeed();
    } catch (error) {
      this.#fail(error);
      throw error;
    } finally {
      this.#writing = undefined;
      const usualMs = isFull ? 0 : GATHER_MS;
      if (this.#waiting.length > 0) this.#writeSoon(this.#isFailing ? RETRY_MS : usualMs);
    }
  }

  #succeed(): void {
    if (this.#isFailing) this.#options.log.info({}, 'messages are written to the history again');
    this.#isFailing = false;
  }

  #fail(error: unknown): void {
    const { log } = this.#options;
    if (!this.#isFailing) log.error({ err: error }, 'messages cannot be written to the history');
    this.#isFailing = true;
    const { afterNumber } = this.#outdated();
    const kept = this.#waiting.filter(({ number }) => number > afterNumber);
    let length = 0;
    this.#waiting = kept
      .toReversed()
      .filter((stored) => (length += lengthOf(stored)) <= MOST_WAITING_LENGTH)
      .toReversed();
    const lost = kept.length - this.#waiting.length;
    if (lost > 0) log.warn({ messages: lost }, 'a part of the history is lost');
  }

  #trim(): void {
    if (this.#trimming !== undefined || this.#isEnding) return;
    this.#trimming = this.#deleteOutdated()
      .catch((error: unknown) => {
        this.#options.log.error({ err: error }, 'old messages could not be deleted');
      })
      .finally(() => {
        this.#trimming = undefined;
      });
  }

  // A few at a time, and others in between.
  async #deleteOutdated(): Promise<void> {
    const { database } = this.#options;
    let deleted: number;
    do {
      deleted = await database.quietTransaction((writer) =>
        deleteOutdated(writer, this.#outdated(), DELETED_AT_ONCE),
      );
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_DELETIONS_MS));
    } while (deleted === DELETED_AT_ONCE && !this.#isEnding);
  }
}

function firstOf(waiting: readonly StoredMessage[]): readonly StoredMessage[] {
  let length = 0;
  const end = waiting.findIndex((stored) => (length += lengthOf(stored)) > MOST_LENGTH_AT_ONCE);
  return waiting.slice(0, Math.min(MOST_AT_ONCE, end === -1 ? waiting.length : end + 1));
}

function earlier(one: Id | undefined, other: Id | undefined): Id | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return compareIds(one, other) < 0 ? one : other;
}
