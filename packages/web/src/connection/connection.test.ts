import { expect, test } from 'bun:test';
import { signal } from '@preact/signals';
import type { Client, ClientEvents, ConnectionState } from '@hearth/sdk';
import { watchConnection } from './connection.ts';
import { watchReachability } from './reachability.ts';

const CONNECTING: ConnectionState = { state: 'connecting', attempt: 0 };
const OPEN: ConnectionState = { state: 'open', profile: 1, isCurrent: true };

test('[WC60] the number of people follows the client, also to not knowing it', () => {
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
  // Guarantee: only these parts of a client are used.
  const connection = watchConnection(client as unknown as Client);
  const report = listeners.get('online') as unknown as (event: ClientEvents['online']) => void;
  const seen = [connection.online.value];
  for (const count of [12, undefined]) {
    report({ count });
    seen.push(connection.online.value);
  }
  expect(seen).toEqual([3, 12, undefined]);
  connection[Symbol.dispose]();
  expect(listeners.size).toBe(0);
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
