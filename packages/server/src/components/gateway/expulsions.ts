import type { ConnectionRules } from '../../gateway-host.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';

/** Closes the connections of clients that may no longer be connected. */
export class Expulsions {
  readonly #rules: ConnectionRules;
  readonly #stopListening: () => void;

  constructor(rules: ConnectionRules, connections: Connections) {
    this.#rules = rules;
    // Events that were published before are sent first.
    this.#stopListening = rules.onChange(() =>
      connections.expel((connection) => this.#reasonFor(connection)),
    );
  }

  /** Refuses a new client that may not be connected since it was admitted. From now on it is checked like all others. */
  reconsider(connection: Connection): void {
    if (connection.status.state !== 'open') return;
    const reason = this.#reasonFor(connection);
    if (reason !== undefined) connection.status = { state: 'refused', reason };
  }

  /** Closes no more connections. */
  stop(): void {
    this.#stopListening();
  }

  #reasonFor({ client: address, accessCode }: Connection) {
    return this.#rules.expulsionOf({ kind: 'guest', address, accessCode });
  }
}
