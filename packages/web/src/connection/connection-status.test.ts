import { expect, test } from 'bun:test';
import type { ConnectionState } from '@hearth/sdk';
import { connectionStatus } from './connection-status.ts';
import { isReachableIn } from './reachability.ts';

const open = (isCurrent: boolean): ConnectionState => ({ state: 'open', profile: 1, isCurrent });
const connecting = (attempt: number): ConnectionState => ({ state: 'connecting', attempt });
const QUIET = { isOnline: true, isBusy: false };
const waiting = (reason: 'network' | 'rate_limited' | 'full' | 'shutdown'): ConnectionState => ({
  state: 'waiting',
  attempt: 1,
  retryAtMs: 7,
  reason,
});

test('the connection is described in the reader’s terms', () => {
  const kinds: readonly (readonly [ConnectionState, string])[] = [
    [{ state: 'idle' }, 'connecting'],
    [connecting(0), 'connecting'],
    [connecting(3), 'reconnecting'],
    [open(false), 'catching_up'],
    [open(true), 'online'],
    [waiting('network'), 'reconnecting'],
    [waiting('rate_limited'), 'rate_limited'],
    [{ state: 'closed' }, 'closed'],
    [{ state: 'closed', reason: 'banned' }, 'banned'],
  ];
  for (const [connection, kind] of kinds) {
    expect(String(connectionStatus(connection, QUIET).kind)).toBe(kind);
  }
});

test('a browser without a network is offline, whatever the state of the connection', () => {
  const offline = { ...QUIET, isOnline: false };
  expect(connectionStatus(open(true), offline).kind).toBe('offline');
  expect(connectionStatus(waiting('network'), offline).kind).toBe('offline');
  expect(connectionStatus({ state: 'closed' }, offline).kind).toBe('closed');
});

test('a wait shows when it ends', () => {
  expect(connectionStatus(waiting('network'), QUIET)).toMatchObject({ retryAtMs: 7 });
});

test('[WC399] that something waits for a busy place is shown unless the connection needs attention', () => {
  const busy = { ...QUIET, isBusy: true };
  expect(connectionStatus(open(true), busy).kind).toBe('busy');
  expect(connectionStatus(open(false), busy).kind).toBe('catching_up');
  expect(connectionStatus(open(true), { isOnline: false, isBusy: true }).kind).toBe('offline');
});

test('messages are held back if the instance is unreachable, but not if only the gateway is', () => {
  expect(isReachableIn(open(true), false)).toBe(true);
  expect(isReachableIn(waiting('network'), true)).toBe(false);
  expect(isReachableIn(waiting('shutdown'), true)).toBe(false);
  expect(isReachableIn(waiting('full'), false)).toBe(true);
  expect(isReachableIn(waiting('rate_limited'), false)).toBe(true);
  expect(isReachableIn({ state: 'closed' }, true)).toBe(false);
  // The answer to a message says until when, and why.
  expect(isReachableIn({ state: 'closed', reason: 'banned' }, true)).toBe(true);
});

test('an attempt to connect changes nothing until its result is known', () => {
  for (const wasReachable of [true, false]) {
    expect(isReachableIn(connecting(1), wasReachable)).toBe(wasReachable);
  }
});
