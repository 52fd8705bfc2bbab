import type { Logger } from '../../log/logger.ts';
import type { ChangeListeners } from './change-listeners.ts';
import { ChangeReceipts, type ReceiptOrder } from './change-receipts.ts';
import type { Change, ChangeKind } from './database.ts';
import { KeptConnection } from './kept-connection.ts';
import type { PostgresConfig } from './postgres-connection.ts';
import { LOCKS } from './postgres-locks.ts';
import type { Lease } from './postgres-pool.ts';

/** The channel on which transactions announce changes. PostgreSQL delivers announcements after the commit. */
const CHANNEL = 'hearth_changes';

/** The channel on which a process asks the others for connections that they do not use. */
const ROOM_CHANNEL = 'hearth_room';

/** The size of the largest announcement. PostgreSQL refuses 8,000 bytes. */
const MOST_BYTES = 7_900;

const UNKNOWN = 'unknown';

/** The time in milliseconds between two checks of the connection that listens. */
const PING_MS = 200;

/**
 * The time in milliseconds, after the beginning of an answered check, for which a process relies on what it remembers.
 * Together with the 200 ms for which some ask only once, this is shorter than a change waits for a process that does
 * not answer.
 */
const CERTAIN_MS = 750;

interface Announced {
  readonly changes: readonly Change[] | typeof UNKNOWN;
  /** If somebody waits until all processes know the changes. */
  readonly receipt?: ReceiptOrder;
}

/** The work of a process after the end of a transaction whose changes it has announced. */
export interface Announcement extends Disposable {
  /** Resolves when no process relies any more on what it remembers of what was changed: after a second at most. */
  heard(): Promise<void>;
}

/** Parts with which changes are heard. */
export interface ChangesParts {
  readonly listeners: ChangeListeners;
  readonly log: Logger;
  /** True if no other process serves clients. */
  readonly isAlone: boolean;
  /** The kinds of changes for which nobody waits. */
  readonly starting: ReadonlySet<ChangeKind>;
  /** Is called several times a second while the server answers. */
  readonly onAnswer: () => void;
  /** Is called if another process finds no room for a connection. */
  readonly onRoomWanted: () => void;
}

/** Announces changes, and receives those of every process. */
export class PostgresChanges implements AsyncDisposable {
  readonly #listeners: ChangeListeners;
  readonly #receipts: ChangeReceipts;
  readonly #isAlone: boolean;
  readonly #starting: ReadonlySet<ChangeKind>;
  #kept: KeptConnection | undefined;

  private constructor({
    listeners,
    isAlone,
    starting,
  }: Pick<ChangesParts, 'listeners' | 'isAlone' | 'starting'>) {
    this.#listeners = listeners;
    this.#isAlone = isAlone;
    this.#starting = starting;
    this.#receipts = new ChangeReceipts(async (text, values) => {
      if (this.#kept === undefined) throw new Error('there is no connection yet');
      return await this.#kept.query(text, values);
    });
  }

  /** Begins to listen. */
  static async open(config: PostgresConfig, parts: ChangesParts): Promise<PostgresChanges> {
    const { listeners, log, onAnswer, onRoomWanted } = parts;
    const changes = new PostgresChanges(parts);
    const receipts = changes.#receipts;
    let isFirst = true;
    changes.#kept = await KeptConnection.open(config, {
      pingMs: PING_MS,
      async setUp(query) {
        // A receipt that is lost with the server costs somebody a second.
        await query('set synchronous_commit = off');
        for (const channel of [CHANNEL, ROOM_CHANNEL, receipts.channel]) {
          await query(`listen ${channel}`);
        }
        await query(`select pg_advisory_lock_shared(${LOCKS.listening})`);
      },
      onUp() {
        // Earlier announcements are not delivered on this connection.
        listeners.notify('unknown');
        if (!isFirst) log.info({}, 'the database is back');
        isFirst = false;
      },
      onAnswer,
      onDown: (err) => log.warn({ err }, 'the connection to the database is lost'),
      onNotification({ channel, payload = '' }) {
        if (channel === ROOM_CHANNEL) onRoomWanted();
        else if (channel === receipts.channel) receipts.take(payload);
        else changes.#heard(payload);
      },
    });
    return changes;
  }

  /** False while announcements may be missed. */
  get isCertain(): boolean {
    return this.#kept?.wasWellWithin(CERTAIN_MS) === true;
  }

  /**
   * Announces changes in the transaction that makes them. Does nothing if there are none, because transactions that announce
   * something commit one at a time in the whole PostgreSQL server.
   */
  async announce(
    lease: Pick<Lease, 'query'>,
    changes: readonly Change[],
  ): Promise<Announcement | undefined> {
    if (changes.length === 0) return undefined;
    const isWaited = !this.#isAlone && changes.some(({ kind }) => !this.#starting.has(kind));
    const receipt = isWaited ? this.#receipts.order() : undefined;
    const forget = () => {
      if (receipt !== undefined) this.#receipts.forget(receipt.number);
    };
    try {
      await lease.query({
        text: 'select pg_notify($1, $2)',
        values: [CHANNEL, textOf(changes, receipt)],
      });
    } catch (error) {
      forget();
      throw error;
    }
    return {
      heard: async () => {
        if (receipt !== undefined) await this.#receipts.all(receipt.number);
      },
      [Symbol.dispose]: forget,
    };
  }

  /** Asks all processes to close the connections that they do not use. */
  askForRoom(): void {
    // If this fails, there is no server that could have room.
    this.#kept?.query(`notify ${ROOM_CHANNEL}`).catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#receipts.end();
    await this.#kept?.[Symbol.asyncDispose]();
  }

  #heard(payload: string): void {
    // Guarantee: only `announce` makes announcements.
    const { changes, receipt } = JSON.parse(payload) as Announced;
    this.#listeners.notify(changes);
    if (receipt !== undefined) this.#receipts.send(receipt);
  }
}

function textOf(changes: readonly Change[], receipt: ReceiptOrder | undefined): string {
  const textWith = (given: Announced['changes']) =>
    JSON.stringify({ changes: given, ...(receipt && { receipt }) } satisfies Announced);
  const text = textWith(changes);
  return Buffer.byteLength(text) > MOST_BYTES ? textWith(UNKNOWN) : text;
}
