import { afterAll, beforeAll, expect, test } from 'bun:test';
import { fakeClock } from '@hearth/testing/fake-clock';
import { openTestContext } from '@hearth/testing/instances/test-context';
import type { OwnerContext } from '../../instance.ts';
import { newConnection, type ConnectionSocket } from './connection.ts';
import { PONG } from './event-texts.ts';
import { Incoming } from './incoming.ts';
import { newAccountProfile, type Profile } from './profile.ts';

const PING = '{"op":"PING"}';

let owner: OwnerContext;
beforeAll(async () => {
  owner = await openTestContext();
});
afterAll(() => owner[Symbol.asyncDispose]());

function openIncoming(profile: Profile) {
  const clock = fakeClock();
  const log: string[] = [];
  const closed: string[] = [];
  const taken: unknown[] = [];
  const socket: ConnectionSocket = {
    data: newConnection({ client: '192.0.2.1', accessCode: undefined, profile }, 0),
    send: (text) => log.push(text),
    close: () => {},
    terminate: () => {},
    subscribe: () => {},
    unsubscribe: () => {},
    cork: (run) => run(),
    getBufferedAmount: () => 0,
  };
  const incoming = new Incoming({
    ctx: { ...owner, clock },
    connections: {
      close(each, reason) {
        closed.push(reason);
        each.data.status = { state: 'closed' };
      },
    },
    watching: { watch: () => {} },
    authenticator: { take: (_socket, _profile, d) => void taken.push(d) },
  });
  const send = (payload: string | Uint8Array) => incoming.payload(socket, payload);
  return { clock, incoming, socket, send, log, closed, taken };
}

test('[GP12] beyond gateway_events a payload is ignored and answered with RATE_LIMITED, and beyond ten times that the connection is closed', () => {
  const { limit, reset_after } = owner.settings.rest.limits.gateway_events;
  const { clock, send, socket, log, closed, taken } = openIncoming(newAccountProfile());
  for (let count = 0; count < limit; count += 1) send(PING);
  expect(log).toEqual(Array.from({ length: limit }, () => PONG));
  clock.advance(1_000);
  for (let count = 0; count < 9 * limit; count += 1) send('{"op":"AUTHENTICATE"}');
  const retry_after = (reset_after - 1) * 1_000;
  expect(new Set(log.slice(limit))).toEqual(
    new Set([JSON.stringify({ op: 'RATE_LIMITED', d: { retry_after } })]),
  );
  expect([log.length, taken, closed]).toEqual([10 * limit, [], []]);
  send(PING);
  expect([closed, socket.data.retryAt]).toEqual([['rate_limited'], reset_after * 1_000]);
});

test('[GP12] a new window begins when the last one is over', () => {
  const { limit, reset_after } = owner.settings.rest.limits.gateway_events;
  const { clock, send, log } = openIncoming(newAccountProfile());
  for (let count = 0; count <= limit; count += 1) send(PING);
  clock.advance(reset_after * 1_000);
  send(PING);
  expect(log.at(-1)).toBe(PONG);
});

test('[GP12] ping frames are counted as on the documented gateway, with the limit of profile 2', () => {
  const { limit } = owner.settings.rest.limits.gateway_events;
  const { incoming, socket, closed } = openIncoming(newAccountProfile());
  for (let count = 0; count < 10 * limit; count += 1) incoming.controlFrame(socket);
  expect(closed).toEqual([]);
  incoming.controlFrame(socket);
  expect(closed).toEqual(['rate_limited']);
});

test('[GW13] on the other profiles, the first payload beyond the limit closes the connection', () => {
  const { limit } = owner.settings.gateway.limit;
  const { send, log, closed } = openIncoming({ version: 1, resume: undefined });
  for (let count = 0; count <= limit; count += 1) send(PING);
  expect([log.length, closed]).toEqual([limit, ['rate_limited']]);
});

test('[GP2] until AUTHENTICATE comes, PING is answered and is no sign of life', () => {
  const { clock, send, socket, log, taken } = openIncoming(newAccountProfile());
  clock.advance(5_000);
  send(PING);
  expect([log, socket.data.lastPingAt]).toEqual([[PONG], 0]);
  send('{"op":"AUTHENTICATE","d":{"token":7}}');
  expect([taken, socket.data.lastPingAt]).toEqual([[{ token: 7 }], 5_000]);
});

test('[GP15] AUTHENTICATE means nothing on the other profiles, and malformed payloads mean nothing on any', () => {
  const [account, lobby] = [
    openIncoming(newAccountProfile()),
    openIncoming({ version: 1, resume: undefined }),
  ];
  lobby.send('{"op":"AUTHENTICATE","d":{}}');
  for (const payload of [
    '',
    '{',
    '[]',
    'null',
    '{"op":"authenticate"}',
    '{"op":["AUTHENTICATE"]}',
  ]) {
    account.send(payload);
  }
  account.send(new TextEncoder().encode('{"op":"AUTHENTICATE","d":{}}'));
  expect([lobby.taken, account.taken, account.log, account.closed]).toEqual([[], [], [], []]);
});
