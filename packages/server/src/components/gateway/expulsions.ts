import type { Context } from '../../context.ts';
import { findExpulsion } from '../../features/accounts/moderation/moderation.ts';
import type { InForce } from '../../restrictions.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';

/** Closes the connections of clients that may no longer be connected. */
export class Expulsions {
  readonly #ctx: Pick<Context, 'clock' | 'restrictions'>;
  readonly #stopListening: () => void;

  constructor(ctx: Pick<Context, 'clock' | 'restrictions'>, connections: Connections) {
    this.#ctx = ctx;
    // Events that were published before are sent first.
    this.#stopListening = ctx.restrictions.onChange((inForce) =>
      connections.expel((connection) => this.#reasonFor(connection, inForce)),
    );
  }

  /** Refuses a new client that may not be connected since it was admitted. From now on it is checked like all others. */
  reconsider(connection: Connection): void {
    if (connection.status.state !== 'open') return;
    const reason = this.#reasonFor(connection, this.#ctx.restrictions.latest);
    if (reason !== undefined) connection.status = { state: 'refused', reason };
  }

  /** Closes no more connections. */
  stop(): void {
    this.#stopListening();
  }

  #reasonFor({ client: address, accessCode }: Connection, inForce: InForce) {
    if (inForce.isNothing) return undefined;
    return findExpulsion(this.#ctx, { kind: 'guest', address, accessCode }, inForce);
  }
}
