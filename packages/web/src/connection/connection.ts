import { signal, type ReadonlySignal } from '@preact/signals';
import type { Client, ConnectionState } from '@hearth/sdk';
import { watchReachability, type Reachability } from './reachability.ts';

/** The connection to the instance. */
export interface Connection extends Reachability {
  /** The state of the gateway, as the client reports it. */
  readonly state: ReadonlySignal<ConnectionState>;
  /** The number of people who are connected; undefined if that is not known now. */
  readonly online: ReadonlySignal<number | undefined>;
  /** True if requests are repeated because too much is waiting for their places. */
  readonly isBusy: ReadonlySignal<boolean>;
  /** Ends a wait before the next attempt. */
  readonly reconnectNow: () => void;
}

/** Watches the connection of `client`. */
export function watchConnection(
  client: Pick<Client, 'connection' | 'gateway' | 'on' | 'online'>,
): Connection {
  const state = signal<ConnectionState>(client.connection);
  const online = signal(client.online);
  const isBusy = signal(false);
  const repeating = new Map<string, number>();
  const offs = [
    client.on('connection', (now) => {
      state.value = now;
    }),
    client.on('online', ({ count }) => {
      online.value = count;
    }),
    client.on('limit', ({ bucket, state: { repeating: count } }) => {
      repeating.set(bucket, count);
      isBusy.value = [...repeating.values()].some((each) => each > 0);
    }),
  ];
  const reachability = watchReachability(state);
  return {
    state,
    online,
    isBusy,
    isOnline: reachability.isOnline,
    isReachable: reachability.isReachable,
    reconnectNow: () => client.gateway.reconnectNow(),
    [Symbol.dispose]() {
      for (const off of offs) off();
      reachability[Symbol.dispose]();
    },
  };
}
