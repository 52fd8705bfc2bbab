import { compareIds, parseId, type Id, type LobbyMessage } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { inTime, within } from '../../../lib/within.ts';
import { listKept } from './list-kept.ts';
import type { HistoryOptions, HistoryQuery, Kept, MessageHistory } from './message-history.ts';
import type { DispatchedMessage, MessageJournal } from './message-journal.ts';
import { OutageLog } from './outage-log.ts';
import { Retention } from './retention.ts';
import { storedAs, type StoredMessage } from './message-groups.ts';
import { deleteStatement, selectLast, tryLockHistory, type LastMessage } from './store.ts';
import {
  deleteOutdated,
  firstGroup,
  GATHER_MS,
  groupStatements,
  runStatements,
} from './write-group.ts';

/** The time between two checks for messages that another process left, or that could not be written. */
const LOOK_PERIOD_MS = 1_000;

/** The time after finding another process writing until the next attempt is made. */
const BUSY_MS = 20;

/** Messages that are read from the journal to be written at once. */
const MOST_READ = 1_024;

/** The time that a list may take, so that a client has its answer within 3 s even if a service is away. */
const LIST_MS = 2_800;

/** The time that a stop may take to write what is left. */
const STOP_MS = 2_000;

export interface SharedHistoryOptions extends HistoryOptions {
  readonly journal: MessageJournal;
}

/** The outcome of an attempt to write: nothing is left, or something is, or another process was writing. */
type Outcome = 'done' | 'more' | 'busy';

/**
 * The history of an instance of several processes. Dispatched messages are in the journal. Any process writes what it
 * finds there, one process at a time and in groups, and removes it from the journal when it is in the database.
 * Identifiers grow in the order of dispatch, so a message that is not after the last one in the database is already
 * written, whenever a process was killed. Numbers continue from there: a message's number is known as soon as the end
 * of the database is.
 */
export class SharedHistory implements MessageHistory {
  readonly #options: SharedHistoryOptions;
  readonly #retention: Retention;
  readonly #outage: OutageLog;
  readonly #stopLooking: () => void;
  /** The newest message that this process makes sure is written. */
  #newestOwn: Id | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempt: Promise<Outcome> | undefined;
  #isEnding = false;
  #isOver = false;

  constructor(options: SharedHistoryOptions) {
    this.#options = options;
    this.#outage = new OutageLog(options.log);
    this.#retention = new Retention({
      ...options,
      deleteSome: (limit) => this.#deleteSome(limit),
    });
    this.#stopLooking = options.clock.every(LOOK_PERIOD_MS, () => {
      if (this.#attempt === undefined) void this.#write('all');
    });
  }

  /**
   * Notes that this process has put a message into the journal, which any process writes within about 100 ms. It leaves
   * later ones to the processes that dispatched them, so that groups are larger.
   */
  append({ id }: Pick<LobbyMessage, 'id'>): void {
    if (this.#options.bounds.messages === 0) return;
    const known = this.#newestOwn;
    if (known === undefined || compareIds(id, known) > 0) this.#newestOwn = id;
    this.#writeSoon(GATHER_MS);
  }

  async list(query: HistoryQuery): Promise<readonly LobbyMessage[]> {
    if (this.#options.bounds.messages === 0) return [];
    const list = async () => listKept(this.#options.database, await this.#kept(), query);
    return inTime(list(), LIST_MS);
  }

  kept(): Promise<Kept> {
    return inTime(this.#kept(), LIST_MS);
  }

  async flush(): Promise<void> {
    const { journal } = this.#options;
    const last = (await journal.read()).at(-1)?.id;
    if (last === undefined) return;
    while (!this.#isOver) {
      const [first] = await journal.read(1);
      if (first === undefined || compareIds(first.id, last) > 0) return;
      if ((await this.#attemptAnew('all')) === 'busy') await passed(BUSY_MS);
    }
  }

  /** Writes what is in the journal. If that fails or takes long, it stays there for another process. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    this.#stopLooking();
    clearTimeout(this.#timer);
    const ended = Promise.all([this.#retention[Symbol.asyncDispose](), this.flush()]);
    const isWritten = await within(ended, STOP_MS);
    this.#isOver = true;
    if (isWritten === undefined) {
      this.#options.log.warn(
        {},
        'the end of the history is left to another process or the next start',
      );
    }
  }

  async #kept(): Promise<Kept> {
    const { database, journal } = this.#options;
    // The journal may be long then, and is not returned without the database.
    if (this.#outage.isFailing) await selectLast(database.reader);
    // In this order: what leaves the journal before it is read is in the database by then.
    const journaled = await journal.read();
    const last = await selectLast(database.reader);
    const waiting = numbered(journaled, last);
    const lastNumber = waiting.at(-1)?.number ?? last?.number ?? 0;
    // Messages written from now on are known from the journal, or came later and would push out others that are
    // listed.
    return { outdated: this.#retention.outdated(lastNumber), waiting, end: endOf(last) };
  }

  // While nothing can be written, an attempt is made at every check and not for every message.
  #writeSoon(delayMs: number): void {
    if (this.#timer !== undefined || this.#isEnding || this.#outage.isFailing) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#write('own');
    }, delayMs);
  }

  /** Writes until nothing is left, in groups. Never rejects: a failure is logged, and tried again. */
  async #write(what: 'own' | 'all'): Promise<void> {
    try {
      let outcome: Outcome;
      do outcome = await this.#attemptAnew(what);
      while (outcome === 'more' && !this.#isEnding);
      if (outcome === 'busy') this.#writeSoon(BUSY_MS);
    } catch {
      // `#tryWrite` has logged it.
    }
  }

  /** An attempt that covers everything that is in the journal by now. */
  async #attemptAnew(what: 'own' | 'all'): Promise<Outcome> {
    await this.#attempt?.catch(() => {});
    this.#attempt ??= this.#tryWrite(what).finally(() => {
      this.#attempt = undefined;
    });
    return this.#attempt;
  }

  async #tryWrite(what: 'own' | 'all'): Promise<Outcome> {
    const { database, journal } = this.#options;
    try {
      // Before the transaction, which would hold up others if the journal does not answer.
      const journaled = await journal.read(MOST_READ);
      const [first, last] = [journaled[0], journaled.at(-1)];
      if (
        first === undefined ||
        last === undefined ||
        (what === 'own' && this.#isMuchLater(first))
      ) {
        this.#outage.succeed();
        return 'done';
      }
      const upTo = await database.transaction((tx) => this.#writeSome(tx, journaled));
      if (upTo === undefined) return 'busy';
      await journal.drop(upTo);
      this.#outage.succeed();
      return upTo === last.id && journaled.length < MOST_READ ? 'done' : 'more';
    } catch (error) {
      if (!this.#isOver) this.#outage.fail(error);
      throw error;
    }
  }

  /** Returns whether what this process has dispatched is written. Each process writes its own messages, together. */
  #isMuchLater({ id }: LobbyMessage): boolean {
    return this.#newestOwn !== undefined && compareIds(id, this.#newestOwn) > 0;
  }

  /**
   * Writes as many messages as fit at once. Returns up to where the journal is then written; undefined if another
   * process is writing.
   */
  async #writeSome(
    tx: Transaction,
    journaled: readonly DispatchedMessage[],
  ): Promise<Id | undefined> {
    if (!(await tryLockHistory(tx.sql))) return undefined;
    const last = await selectLast(tx.sql);
    const group = firstGroup(numbered(journaled, last));
    const lastNumber = group.at(-1)?.number ?? last?.number ?? 0;
    await runStatements(tx, groupStatements(group, this.#retention.outdated(lastNumber)));
    return (group.at(-1)?.message ?? journaled.at(-1))?.id;
  }

  #deleteSome(limit: number): Promise<number> {
    return this.#options.database.transaction(async (tx) => {
      if (!(await tryLockHistory(tx.sql))) return 0;
      const last = await selectLast(tx.sql);
      if (last === undefined) return 0;
      const statement = deleteStatement(this.#retention.outdated(last.number), limit);
      return deleteOutdated(tx, statement, limit);
    });
  }
}

/** The part of the journal that is not written, with the numbers under which it will be written. */
function numbered(
  journaled: readonly DispatchedMessage[],
  last: LastMessage | undefined,
): readonly StoredMessage[] {
  const fresh =
    last === undefined ? journaled : journaled.filter(({ id }) => compareIds(id, last.id) > 0);
  return fresh.map((message, index) => storedAs((last?.number ?? 0) + index + 1, message));
}

/** Returns where the database ended. */
function endOf(last: LastMessage | undefined): Id | undefined {
  return parseId(String(last === undefined ? 0 : BigInt(last.id) + 1n));
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
