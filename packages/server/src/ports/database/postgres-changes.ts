import type { Logger } from '../../log/logger.ts';
import type { ChangeListeners } from './change-listeners.ts';
import type { Change } from './database.ts';
import { KeptConnection } from './kept-connection.ts';
import type { PostgresConfig } from './postgres-connection.ts';
import type { Lease } from './postgres-pool.ts';

/** The channel on which transactions announce changes. PostgreSQL delivers announcements after the commit. */
const CHANNEL = 'hearth_changes';

/** The size of the largest announcement. PostgreSQL refuses 8,000 bytes. */
const MOST_BYTES = 7_900;

const UNKNOWN = 'unknown';

/**
 * Announces changes in the transaction that makes them. Does nothing if there are none, because transactions that
 * announce something commit one at a time in the whole PostgreSQL server.
 */
export async function announceChanges(
  lease: Pick<Lease, 'query'>,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  const text = JSON.stringify(changes);
  const payload = Buffer.byteLength(text) > MOST_BYTES ? UNKNOWN : text;
  await lease.query({ text: 'select pg_notify($1, $2)', values: [CHANNEL, payload] });
}

/** Receives the changes of every process. */
export class PostgresChanges implements AsyncDisposable {
  readonly #listeners: ChangeListeners;
  #kept: KeptConnection | undefined;

  private constructor(listeners: ChangeListeners) {
    this.#listeners = listeners;
  }

  /** `onAnswer` is called about once a second while the server answers. */
  static async open(
    config: PostgresConfig,
    parts: {
      readonly listeners: ChangeListeners;
      readonly log: Logger;
      readonly onAnswer: () => void;
    },
  ): Promise<PostgresChanges> {
    const { listeners, log, onAnswer } = parts;
    const changes = new PostgresChanges(listeners);
    let isFirst = true;
    changes.#kept = await KeptConnection.open(config, {
      async setUp(query) {
        await query(`listen ${CHANNEL}`);
      },
      onUp() {
        // Earlier announcements are not delivered on this connection.
        listeners.notify('unknown');
        if (!isFirst) log.info({}, 'the database is back');
        isFirst = false;
      },
      onAnswer,
      onDown: (err) => log.warn({ err }, 'the connection to the database is lost'),
      onNotification: ({ payload = UNKNOWN }) => changes.#heard(payload),
    });
    return changes;
  }

  /** False while announcements may be missed. */
  get isCertain(): boolean {
    return this.#kept?.isWell === true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kept?.[Symbol.asyncDispose]();
  }

  #heard(payload: string): void {
    // Guarantee: only `announceChanges` makes announcements.
    const changes = payload === UNKNOWN ? UNKNOWN : (JSON.parse(payload) as readonly Change[]);
    this.#listeners.notify(changes);
  }
}
