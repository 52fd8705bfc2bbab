import { signal, type ReadonlySignal } from '@preact/signals';
import type { Client, ConnectionState } from '@hearth/sdk';
import { watchReachability, type Reachability } from './reachability.ts';

/** The connection to the instance. */
export interface Connection extends Reachability {
  /** Of the gateway, as the client reports it. */
  readonly state: ReadonlySignal<ConnectionState>;
  /** Ends a wait before the next attempt. */
  readonly reconnectNow: () => void;
}

/** Watches the connection of `client`. */
export function watchConnection(client: Pick<Client, 'connection' | 'gateway' | 'on'>): Connection {
  const state = signal<ConnectionState>(client.connection);
  const off = client.on('connection', (now) => {
    state.value = now;
  });
  const reachability = watchReachability(state);
  return {
    state,
    isOnline: reachability.isOnline,
    isReachable: reachability.isReachable,
    reconnectNow: () => client.gateway.reconnectNow(),
    [Symbol.dispose]() {
      off();
      reachability[Symbol.dispose]();
    },
  };
}
