import type { Logger } from '../../log/logger.ts';
import type { ChangeListeners } from './change-listeners.ts';
import type { Change } from './database.ts';
import { KeptConnection } from './kept-connection.ts';
import type { PostgresConfig } from './postgres-connection.ts';
import type { Lease } from './postgres-pool.ts';

/** The channel on which transactions announce what they change. PostgreSQL delivers it when they are committed. */
const CHANNEL = 'hearth_changes';

/** What an announcement holds at most; PostgreSQL refuses 8,000 bytes. */
const MOST_BYTES = 7_900;

const UNKNOWN = 'unknown';

/**
 * Announces changes in the transaction that makes them. Only if there are any: transactions that announce something
 * commit one at a time, in the whole PostgreSQL.
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

/** Hears what any process has changed. */
export class PostgresChanges implements AsyncDisposable {
  readonly #listeners: ChangeListeners;
  #kept: KeptConnection | undefined;

  private constructor(listeners: ChangeListeners) {
    this.#listeners = listeners;
  }

  /** `onAnswer` is called every second or so, if the server is there. */
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
        // What was announced before is not heard of any more.
        listeners.tell('unknown');
        if (!isFirst) log.info({}, 'the database is back');
        isFirst = false;
      },
      onAnswer,
      onDown: (err) => log.warn({ err }, 'the connection to the database is lost'),
      onNotification: ({ payload = UNKNOWN }) => changes.#heard(payload),
    });
    return changes;
  }

  /** False while nobody would hear of a commit. */
  get isCertain(): boolean {
    return this.#kept?.isWell === true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kept?.[Symbol.asyncDispose]();
  }

  #heard(payload: string): void {
    // Guarantee: what is announced was made by `announceChanges`.
    const changes = payload === UNKNOWN ? UNKNOWN : (JSON.parse(payload) as readonly Change[]);
    this.#listeners.tell(changes);
  }
}
