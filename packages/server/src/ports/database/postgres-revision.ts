import type { Logger } from '../../log/logger.ts';
import { KeptConnection } from './kept-connection.ts';
import type { PostgresConfig } from './postgres-connection.ts';

/** Where a transaction tells what it announces, so that its commit is heard of. */
export const CHANNEL = 'hearth_revision';

/** So that a handle has none of the revisions of one that was opened before it. */
const REVISIONS_A_MS = 1_000;

/** A number that changes with every commit that is announced, by any process. */
export class PostgresRevision implements AsyncDisposable {
  readonly #handle = crypto.randomUUID();
  /** This handle's own, by what they announce: each is counted once, by its end or by what is heard of it. */
  readonly #own = new Map<string, 'running' | 'heard' | 'ended'>();
  #begun = 0;
  #value = Date.now() * REVISIONS_A_MS;
  #kept: KeptConnection | undefined;

  private constructor() {}

  /** `onAnswer` is told, every second or so, that the server is there. */
  static async open(
    config: PostgresConfig,
    { log, onAnswer }: { readonly log: Logger; readonly onAnswer: () => void },
  ): Promise<PostgresRevision> {
    const revision = new PostgresRevision();
    let isFirst = true;
    revision.#kept = await KeptConnection.open(config, {
      async setUp(query) {
        await query(`listen ${CHANNEL}`);
      },
      onUp() {
        revision.#missed();
        if (!isFirst) log.info({}, 'the database is back');
        isFirst = false;
      },
      onAnswer,
      onDown: (err) => log.warn({ err }, 'the connection to the database is lost'),
      onNotification: ({ payload = '' }) => revision.#heard(payload),
    });
    return revision;
  }

  /** Another one at each call while nobody would hear of a commit. */
  current(): number {
    if (this.#kept?.isWell !== true) this.#value += 1;
    return this.#value;
  }

  /** What a transaction that begins has to announce. */
  begin(): string {
    this.#begun += 1;
    const announced = `${this.#handle} ${this.#begun}`;
    this.#own.set(announced, 'running');
    return announced;
  }

  committed(announced: string): void {
    if (this.#own.get(announced) === 'heard') {
      this.#own.delete(announced);
      return;
    }
    this.#value += 1;
    this.#own.set(announced, 'ended');
  }

  /** The transaction was undone, or nobody knows. */
  failed(announced: string): void {
    this.#value += 1;
    this.#own.delete(announced);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kept?.[Symbol.asyncDispose]();
  }

  #heard(announced: string): void {
    const own = this.#own.get(announced);
    if (own === 'ended') {
      this.#own.delete(announced);
      return;
    }
    this.#value += 1;
    if (own === 'running') this.#own.set(announced, 'heard');
  }

  // What was announced before is not heard of any more.
  #missed(): void {
    this.#value += 1;
    for (const [announced, state] of this.#own) {
      if (state === 'ended') this.#own.delete(announced);
    }
  }
}
