import type { Id } from '@hearth/protocol';
import type { GatewayAccounts } from '../../gateway-host.ts';
import type { Logger } from '../../log/logger.ts';
import type { ConnectionSocket } from './connection.ts';

/** The number of sessions that are looked up at once. */
const MOST_AT_ONCE = 500;

export interface SessionSocketsOptions {
  readonly accounts: Pick<GatewayAccounts, 'lasting' | 'onChange'>;
  /** Closes a socket, because its session has ended. */
  readonly close: (socket: ConnectionSocket) => void;
  readonly log: Logger;
}

/**
 * Which sockets belong to which session. They are closed when the session ends: at the place of the event in the stream of the
 * user, or soon afterwards if a change is reported and the stream does not have the event.
 */
export class SessionSockets {
  readonly #options: SessionSocketsOptions;
  readonly #sockets = new Map<Id, Set<ConnectionSocket>>();
  /** Sessions that may have ended. */
  readonly #doubted = new Set<Id>();
  /** Sessions that have ended, whose event may still be on its way. */
  readonly #ended = new Set<Id>();
  readonly #stopHearing: () => void;
  #isAsking = false;

  constructor(options: SessionSocketsOptions) {
    this.#options = options;
    this.#stopHearing = options.accounts.onChange((session) => {
      if (session === 'all') for (const id of this.#sockets.keys()) this.#doubted.add(id);
      else this.#doubtIfKnown(session);
    });
  }

  /** Adds a socket of a session. The caller checks afterwards that the session has not ended. */
  add(session: Id, socket: ConnectionSocket): void {
    this.#sockets.getOrInsertComputed(session, () => new Set()).add(socket);
  }

  delete(session: Id, socket: ConnectionSocket): void {
    const sockets = this.#sockets.get(session);
    sockets?.delete(socket);
    if (sockets?.size === 0) this.#sockets.delete(session);
  }

  end(session: string): void {
    // Guarantee: what is no id is no key either.
    const sockets = this.#sockets.get(session as Id);
    for (const socket of sockets ?? []) this.#options.close(socket);
  }

  /** Looks up the session of a socket soon. */
  doubt(session: Id): void {
    this.#doubted.add(session);
  }

  /** To be called often: closes the sockets of sessions that were found to have ended at the tick before. */
  tick(): void {
    for (const id of this.#ended) this.end(id);
    this.#ended.clear();
    if (this.#doubted.size > 0 && !this.#isAsking) void this.#ask();
  }

  /** Hears of no more changes. */
  stop(): void {
    this.#stopHearing();
  }

  #doubtIfKnown(id: string): void {
    // Guarantee: as above.
    if (this.#sockets.has(id as Id)) this.#doubted.add(id as Id);
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    let asked: readonly Id[] = [];
    try {
      while (this.#doubted.size > 0) {
        asked = [...this.#doubted].slice(0, MOST_AT_ONCE);
        for (const id of asked) this.#doubted.delete(id);
        const lasting = await this.#options.accounts.lasting(asked);
        for (const id of asked) if (!lasting.has(id)) this.#ended.add(id);
      }
    } catch (err) {
      // They are looked up again at the next tick. Without the database, no session can end.
      for (const id of asked) if (this.#sockets.has(id)) this.#doubted.add(id);
      this.#options.log.debug({ err }, 'it is not known which sessions have ended');
    }
    this.#isAsking = false;
  }
}
