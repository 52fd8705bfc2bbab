import { expect, test } from 'bun:test';
import { signal } from '@preact/signals';
import type { Client, ClientEvents, ConnectionState, LimitState } from '@hearth/sdk';
import { watchConnection } from './connection.ts';
import { watchReachability } from './reachability.ts';

const CONNECTING: ConnectionState = { state: 'connecting', attempt: 0 };
const OPEN: ConnectionState = { state: 'open', profile: 1, isCurrent: true };

/** A connection of a client that reports what a test wants. */
function reportingClient() {
  const listeners = new Map<string, (event: never) => void>();
  const idle: ConnectionState = { state: 'idle' };
  const client = {
    connection: idle,
    online: 3,
    gateway: { reconnectNow: () => {} },
    on: (name: keyof ClientEvents, listener: (event: never) => void) => {
      listeners.set(name, listener);
      return () => listeners.delete(name);
    },
  };
  return {
    listeners,
    // Guarantee: only these parts of a client are used.
    connection: watchConnection(client as unknown as Client),
    report: <Name extends keyof ClientEvents>(name: Name, event: ClientEvents[Name]) => {
      // Guarantee: the listener of a name takes its events.
      const listener = listeners.get(name) as ((event: ClientEvents[Name]) => void) | undefined;
      listener?.(event);
    },
  };
}

test('[WC60] the number of people follows the client, also to not knowing it', () => {
  const { connection, listeners, report } = reportingClient();
  const seen = [connection.online.value];
  for (const count of [12, undefined]) {
    report('online', { count });
    seen.push(connection.online.value);
  }
  expect(seen).toEqual([3, 12, undefined]);
  connection[Symbol.dispose]();
  expect(listeners.size).toBe(0);
});

test('[WC399] the page waits for busy places as long as requests of any limit are repeated', () => {
  const { connection, report } = reportingClient();
  const state: LimitState = {
    limit: undefined,
    used: 0,
    resetsAtMs: 0,
    freeAtMs: 0,
    waiting: 0,
    repeating: 0,
    byteLimit: undefined,
    sentBytes: 0,
  };
  const seen = [connection.isBusy.value];
  for (const [bucket, repeating] of [
    ['vote', 2],
    ['write', 1],
    ['vote', 0],
    ['write', 0],
  ] as const) {
    report('limit', { bucket, state: { ...state, repeating } });
    seen.push(connection.isBusy.value);
  }
  expect(seen).toEqual([false, true, true, true, false]);
});

test('[WC68] nothing is posted before the connection has opened for the first time', () => {
  Object.defineProperty(navigator, 'onLine', { value: true, configurable: true });
  const connection = signal<ConnectionState>({ state: 'idle' });
  const reachability = watchReachability(connection);
  const seen = [reachability.isReachable.value];
  for (const state of [CONNECTING, OPEN, CONNECTING]) {
    connection.value = state;
    seen.push(reachability.isReachable.value);
  }
  expect(seen).toEqual([false, false, true, true]);
  reachability[Symbol.dispose]();
  Reflect.deleteProperty(navigator, 'onLine');
});
