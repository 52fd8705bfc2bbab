import { expect, test } from 'bun:test';
import type { Client, ClientEvents, ConnectionState } from '@hearth/sdk';
import { watchConnection } from './connection.ts';

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
