import type { LobbyMessage } from '@hearth/protocol';
import { listKept } from './list-kept.ts';
import type { HistoryOptions, HistoryQuery, Kept, MessageHistory } from './message-history.ts';
import { OutageLog } from './outage-log.ts';
import { Retention } from './retention.ts';
import { lengthOf, storedAs, type StoredMessage } from './message-groups.ts';
import type { DispatchedMessage } from './message-journal.ts';
import type { Outdated } from './message-range.ts';
import { deleteStatement, selectLastNumber } from './store.ts';
import {
  deleteOutdated,
  firstGroup,
  GATHER_MS,
  groupStatements,
  runStatements,
} from './write-group.ts';

/** The time after a failure until the next attempt is made. */
const RETRY_MS = 1_000;

/** The number of UTF-16 units that may wait while nothing can be written; beyond that, the oldest is lost. */
const MOST_WAITING_LENGTH = 32 * 1024 ** 2;

/** The history of the lobby, as of the last start. */
export async function openHistory(options: HistoryOptions): Promise<History> {
  return new History(options, await selectLastNumber(options.database.reader));
}

/**
 * The history of an instance of one process. Messages are written in groups, so that a post waits for no disk. What is
 * not yet written is read from memory.
 */
export class History implements MessageHistory {
  readonly #options: HistoryOptions;
  readonly #retention: Retention;
  readonly #outage: OutageLog;
  /** In the order of dispatch; the first of them may be on the way to the disk. */
  #waiting: StoredMessage[] = [];
  #lastNumber: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> | undefined;
  #isEnding = false;

  constructor(options: HistoryOptions, lastNumber: number) {
    this.#options = options;
    this.#lastNumber = lastNumber;
    this.#outage = new OutageLog(options.log);
    const { database } = options;
    this.#retention = new Retention({
      ...options,
      deleteSome: async (limit) => {
        const statement = deleteStatement(this.#retention.outdated(this.#lastWritten), limit);
        return database.transaction((tx) => deleteOutdated(tx, statement, limit));
      },
    });
  }

  /** Keeps a message that is being dispatched, after all earlier ones. It is on the disk within 100 ms. */
  append(message: DispatchedMessage): void {
    if (this.#options.bounds.messages === 0) return;
    this.#lastNumber += 1;
    this.#waiting.push(storedAs(this.#lastNumber, message));
    this.#writeSoon(GATHER_MS);
  }

  async list(query: HistoryQuery): Promise<readonly LobbyMessage[]> {
    if (this.#options.bounds.messages === 0) return [];
    return listKept(this.#options.database, this.#kept(), query);
  }

  async kept(): Promise<Kept> {
    return this.#kept();
  }

  async flush(): Promise<void> {
    while (this.#waiting.length > 0) await (this.#writing ??= this.#write());
  }

  /** Writes what waits. If that fails, the messages are lost, and the log reports it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    clearTimeout(this.#timer);
    await this.#retention[Symbol.asyncDispose]();
    try {
      // The attempt under way may have waited long enough to fail.
      await this.#writing?.catch(() => {});
      await this.flush();
    } catch (error) {
      const { length } = this.#waiting;
      this.#options.log.error({ err: error, messages: length }, 'the end of the history is lost');
    }
  }

  #kept(): Kept {
    const waiting = this.#waiting;
    // What is written while the store is read is known from here.
    return { outdated: this.#outdated(), waiting, end: waiting[0]?.message.id };
  }

  /** The number up to which messages are on the disk. If the process is killed, no later ones take the place of those deleted. */
  get #lastWritten(): number {
    const [first] = this.#waiting;
    return first === undefined ? this.#lastNumber : first.number - 1;
  }

  #outdated(): Outdated {
    return this.#retention.outdated(this.#lastNumber);
  }

  #writeSoon(delayMs: number): void {
    if (this.#timer !== undefined || this.#isEnding) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#writing !== undefined) return;
      this.#writing = this.#write();
      // Logged, and tried again.
      this.#writing.catch(() => {});
    }, delayMs);
  }

  async #write(): Promise<void> {
    let isFull = false;
    try {
      if (this.#outage.isFailing) await this.#forgetWritten();
      const group = firstGroup(this.#waiting);
      // Others may arrive while it is written: they gather. Those that were already there and did not fit are late.
      isFull = group.length < this.#waiting.length;
      const last = group.at(-1)?.number ?? this.#lastWritten;
      const statements = groupStatements(group, this.#retention.outdated(last));
      await this.#options.database.transaction((tx) => runStatements(tx, statements));
      this.#waiting = this.#waiting.slice(group.length);
      this.#outage.succeed();
    } catch (error) {
      this.#outage.fail(error);
      this.#loseOldest();
      throw error;
    } finally {
      this.#writing = undefined;
      const usualMs = isFull ? 0 : GATHER_MS;
      if (this.#waiting.length > 0) this.#writeSoon(this.#outage.isFailing ? RETRY_MS : usualMs);
    }
  }

  // A commit that failed may have succeeded all the same, if the database is on another machine.
  async #forgetWritten(): Promise<void> {
    const written = await selectLastNumber(this.#options.database.reader);
    this.#waiting = this.#waiting.filter(({ number }) => number > written);
  }

  #loseOldest(): void {
    const { afterNumber } = this.#outdated();
    const kept = this.#waiting.filter(({ number }) => number > afterNumber);
    let length = 0;
    this.#waiting = kept
      .toReversed()
      .filter((stored) => (length += lengthOf(stored)) <= MOST_WAITING_LENGTH)
      .toReversed();
    const lost = kept.length - this.#waiting.length;
    if (lost > 0) this.#options.log.warn({ messages: lost }, 'a part of the history is lost');
  }
}
