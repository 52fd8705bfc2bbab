import type { KyselyPlugin } from 'kysely';
import { formatId, type Id, type LobbyMessage } from '@hearth/protocol';
import { join } from 'node:path';
import type { HistoryBounds } from '../../../server/src/config/config.ts';
import { SharedHistory } from '../../../server/src/features/talk/lobby/shared-history.ts';
import { jsonLogger } from '../../../server/src/log/logger.ts';
import type { Database, Transaction } from '../../../server/src/ports/database/database.ts';
import { sqliteDatabase } from '../../../server/src/engines/databases.ts';
import type { MessageJournal } from '../../../server/src/features/talk/lobby/message-journal.ts';
import { type FakeClock, fakeClock } from '../fake-clock.ts';
import { type MemoryJournal, memoryJournal } from './memory-journal.ts';
import { readerBefore } from './reader-before.ts';
import { writeMigratedSqlite } from '../servers/migrated-sqlite.ts';
import { tempFolder } from '../temp-folder.ts';

/** The operations of a process on the things that it shares with others. */
export type Step = 'read' | 'begin' | 'drop' | 'reader';

/** An entry of a process's log. */
export interface LogEntry {
  readonly level: number;
  readonly msg: string;
}

const INSTANCE_ID = 7;

/** Identifiers of consecutive places, eight per second, so that they have several lengths. */
export function idAt(place: number, instanceId = INSTANCE_ID): Id {
  return formatId({ seconds: Math.floor(place / 8), instanceId, sequence: place % 8 });
}

/** A process of an instance, with its own connection to the database. */
export class LobbyProcess implements AsyncDisposable {
  readonly logged: LogEntry[] = [];
  readonly history: SharedHistory;
  /** Runs before each step, which fails if this rejects. */
  before: (step: Step) => Promise<void> = async () => {};
  /** True if another process is in a transaction whenever this one tries. */
  isOtherBusy = false;
  /** Transactions that were tried. */
  begun = 0;

  constructor(
    database: Database,
    {
      journal,
      clock,
      bounds,
    }: { journal: MessageJournal; clock: FakeClock; bounds: HistoryBounds },
  ) {
    this.history = new SharedHistory({
      database: this.#watched(database),
      journal: {
        read: async (limit) => {
          await this.before('read');
          return journal.read(limit);
        },
        drop: async (upTo) => {
          await this.before('drop');
          return journal.drop(upTo);
        },
      },
      clock,
      log: jsonLogger('info', (line) => this.logged.push(JSON.parse(line))),
      bounds,
    });
  }

  /** Makes every further operation fail, because a killed process does nothing more. */
  async kill(): Promise<void> {
    this.before = async () => {
      throw new Error('this process was killed');
    };
    await this.history[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.history[Symbol.asyncDispose]();
  }

  #watched(database: Database): Database {
    return {
      ...database,
      transaction: async (work, options) => {
        this.begun += 1;
        await this.before('begin');
        return database.transaction(
          (tx) => work(this.isOtherBusy ? lockedByOthers(tx) : tx),
          options,
        );
      },
      reader: readerBefore(database.reader, () => this.before('reader')),
    };
  }
}

/** Returns the transaction, but every row that is requested without waiting counts as locked by another process. */
function lockedByOthers(tx: Transaction): Transaction {
  const { sql } = tx;
  const nothing: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => ({ ...result, rows: [] }),
  };
  return { ...tx, sql: sql.withPlugin(nothing) };
}

/** An instance of several processes on one database and one journal, with all dispatched messages. */
export class SharedLobby implements AsyncDisposable {
  readonly clock: FakeClock = fakeClock();
  /** The oldest first. Every second place is left free. */
  readonly dispatched: LobbyMessage[] = [];
  readonly journal: MemoryJournal;
  /** A connection that belongs to no process. */
  readonly database: Database;
  readonly bounds: HistoryBounds;
  readonly #path: string;
  readonly #resources: AsyncDisposableStack;

  private constructor(
    bounds: HistoryBounds,
    opened: { database: Database; path: string; resources: AsyncDisposableStack },
  ) {
    this.bounds = bounds;
    this.journal = memoryJournal(bounds.messages);
    this.database = opened.database;
    this.#path = opened.path;
    this.#resources = opened.resources;
  }

  static async open(bounds: HistoryBounds): Promise<SharedLobby> {
    await using resources = new AsyncDisposableStack();
    const folder = resources.use(await tempFolder());
    const path = join(folder.path, 'hearth.sqlite');
    await writeMigratedSqlite(path);
    const database = resources.use(await sqliteDatabase(path));
    return new SharedLobby(bounds, { database, path, resources: resources.move() });
  }

  /** Starts one more process. It stops with the lobby, if it has not stopped before. */
  async start(bounds = this.bounds): Promise<LobbyProcess> {
    const database = this.#resources.use(await sqliteDatabase(this.#path));
    const { journal, clock } = this;
    return this.#resources.use(new LobbyProcess(database, { journal, clock, bounds }));
  }

  /** Dispatches messages through a process, or through one that does not record them. */
  post(process: LobbyProcess | undefined, count: number, content?: string): void {
    for (let i = 0; i < count; i += 1) {
      const place = this.dispatched.length;
      const message = {
        id: idAt(2 * place),
        author: 'ada',
        content: content ?? `message ${place}`,
        created_at: this.clock.unixMs(),
      };
      this.dispatched.push(message);
      this.journal.put(message);
      process?.history.append(message);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }
}
