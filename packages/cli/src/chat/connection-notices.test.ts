import type { ConnectionState } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { ConnectionNotices } from './connection-notices.ts';

const open = (isCurrent = true): ConnectionState => ({ state: 'open', profile: 1, isCurrent });
const connecting: ConnectionState = { state: 'connecting', attempt: 1 };
const waiting = (seconds: number): ConnectionState => ({
  state: 'waiting',
  attempt: 1,
  retryAtMs: Date.now() + seconds * 1000,
  reason: 'network',
});

test.each<[string, readonly (ConnectionState | 'gap')[], readonly string[]]>([
  ['opens', [connecting, open()], []],
  [
    'is lost and comes back',
    [open(), waiting(2.5), connecting, open(false), open()],
    ['connection lost, trying again in 3 s', 'reconnected, nothing was missed'],
  ],
  [
    'is retried several times',
    [open(), waiting(1), connecting, waiting(2), connecting, waiting(4), open()],
    ['connection lost, trying again in 1 s', 'reconnected, nothing was missed'],
  ],
  [
    'comes back to a gap',
    [open(), waiting(0), open(false), 'gap', open()],
    ['connection lost, trying again in 1 s', 'reconnected: messages may be missing'],
  ],
  [
    'comes back to a gap that is reported later',
    [open(), waiting(1), open(), 'gap', open()],
    [
      'connection lost, trying again in 1 s',
      'reconnected, nothing was missed',
      'messages may be missing here',
    ],
  ],
  [
    'cannot be opened at first',
    [connecting, waiting(1), connecting, open()],
    ['cannot reach the gateway, trying again in 1 s', 'connected'],
  ],
])('[OP25] notices report a connection that %s', (_what, happenings, expected) => {
  const notices: string[] = [];
  const connection = new ConnectionNotices((notice) => notices.push(notice));
  for (const happening of happenings) {
    if (happening === 'gap') connection.gap();
    else connection.connection(happening);
  }
  expect(notices).toEqual([...expected]);
});

test.each([
  [{ reason: 'banned' }, 'you are banned from this server'],
  [{ reason: 'access_code' }, 'the server needs another access code'],
  [{ reason: 'unauthorized' }, 'your session has ended: sign in again with hearth login'],
  [{}, 'the server refuses connections from this client'],
] as const)('[MO8, MO22] a notice says why the server refuses connections: %j', (why, notice) => {
  const notices: string[] = [];
  new ConnectionNotices((text) => notices.push(text)).connection({ state: 'closed', ...why });
  expect(notices).toEqual([notice]);
});
