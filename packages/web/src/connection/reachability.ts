import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import type { ConnectionState } from '@hearth/sdk';
import { CleanUp } from '../lib/clean-up.ts';

/** Reasons of a gateway that is up but does not accept this client now: posting goes on without it. */
const GATEWAY_ALONE: ReadonlySet<string> = new Set([
  'dead',
  'rate_limited',
  'too_slow',
  'full',
  'server_error',
]);

/** The facts that are known about the connection to the instance. */
export interface Reachability extends Disposable {
  /** True if the browser reports a network. */
  readonly isOnline: ReadonlySignal<boolean>;
  /** True if posting is worth a try. */
  readonly isReachable: ReadonlySignal<boolean>;
}

/** Returns whether posting is worth a try in this state, after `wasReachable`. */
export function isReachableIn(connection: ConnectionState, wasReachable: boolean): boolean {
  switch (connection.state) {
    case 'open':
      return true;
    case 'waiting':
      return GATEWAY_ALONE.has(connection.reason);
    case 'connecting':
    case 'idle':
      return wasReachable;
    case 'closed':
      return connection.reason === 'banned';
  }
}

/** Watches the browser's network and the connection. */
export function watchReachability(connection: ReadonlySignal<ConnectionState>): Reachability {
  const isOnline = signal(navigator.onLine);
  // Without a connection, nobody could know what became of a message whose post breaks off.
  const isConnected = signal(false);
  const cleanUp = new CleanUp();
  const watch = () => {
    isOnline.value = navigator.onLine;
  };
  for (const name of ['online', 'offline']) {
    addEventListener(name, watch);
    cleanUp.defer(() => removeEventListener(name, watch));
  }
  cleanUp.defer(
    effect(() => {
      isConnected.value = isReachableIn(connection.value, isConnected.peek());
    }),
  );
  return {
    isOnline,
    isReachable: computed(() => isOnline.value && isConnected.value),
    [Symbol.dispose]: () => cleanUp.dispose(),
  };
}
