import { expect, test } from 'bun:test';
import { formatId, type Id } from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import type { SignalListener, Signals } from '../../../ports/signals/signals.ts';
import type { ConnectionSocket } from '../../../components/gateway/connection.ts';
import { LocalHome, Seat, type LocalUser } from '../../communities/audiences/local-homes.ts';
import { Presences } from './presences.ts';

const id = (sequence: number) => formatId({ seconds: 1, instanceId: 1, sequence });
const [GARDEN, ADA, BOB, PAIR] = [id(1), id(2), id(3), id(4)];
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** The presences of two processes that hear each other, until `cut` is set. */
function openStage() {
  const clock = fakeClock();
  const listeners = new Set<SignalListener>();
  const state = { isCut: false };
  const signals: Signals = {
    isAlone: false,
    send: (signal) => {
      if (!state.isCut) queueMicrotask(() => listeners.forEach((listener) => listener(signal)));
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async [Symbol.asyncDispose]() {},
  };
  const open = () => {
    const garden = new LocalHome(`c:${GARDEN}`);
    const pair = new LocalHome(`d:${PAIR}`);
    const sent: (readonly [Id, boolean])[] = [];
    const users = new Map<Id, LocalUser>();
    const presences = new Presences({
      signals,
      clock,
      onlineIn: () =>
        users
          .values()
          .filter(({ sockets }) => sockets.size > 0)
          .map((each) => each.id),
      isWatched: () => true,
      wait: turn,
      onChange: (_, user, isOnline) => void sent.push([user, isOnline]),
    });
    const local = (user: Id): LocalUser =>
      users.getOrInsertComputed(user, () => ({
        ...{ id: user, sockets: new Set(), leftAtMs: 0, isUnsure: false },
        seats: new Map(
          [garden, pair].map((each) => [
            each,
            new Seat(user, { home: each.stream, roles: [], streams: [] }),
          ]),
        ),
      }));
    const come = async (user: Id) => {
      // Guarantee: nothing uses it.
      local(user).sockets.add({} as ConnectionSocket);
      presences.changed(local(user));
      presences.tick();
      await turn();
    };
    const go = async (user: Id) => {
      local(user).sockets.clear();
      local(user).leftAtMs = clock.monotonicMs();
      presences.changed(local(user));
      presences.tick();
      await turn();
    };
    const list = async () => [...((await presences.list([GARDEN])).get(GARDEN) ?? [])].toSorted();
    const later = async (seconds: number) => {
      clock.advance(seconds * 1_000);
      presences.tick();
      for (let turns = 0; turns < 4; turns += 1) await turn();
    };
    return { sent, come, go, list, later, presences };
  };
  return { one: open(), other: open(), state, clock, signals };
}

test('[GC11] those who watch are sent who comes, and after a while who has gone, through any process', async () => {
  const { one, other } = openStage();
  await other.come(BOB);
  expect(await one.list()).toEqual([BOB]);
  await one.come(ADA);
  await other.come(ADA);
  expect(one.sent).toEqual([
    [BOB, true],
    [ADA, true],
  ]);
  expect(await other.list()).toEqual([ADA, BOB]);
  // She is still there through the other process.
  await one.go(ADA);
  await one.later(6);
  await other.go(BOB);
  expect(one.sent).toHaveLength(2);
  await other.later(6);
  expect(one.sent.slice(2)).toEqual([[BOB, false]]);
  expect(await one.list()).toEqual([ADA]);
});

test('[GC11] processes send each other who has come to communities only', async () => {
  const { one, signals } = openStage();
  const sent: unknown[] = [];
  signals.listen((signal) => sent.push(signal));
  await one.come(ADA);
  const change = { user: ADA, is_online: true, communities: [GARDEN] };
  expect(sent).toMatchObject([{ kind: 'presence', d: { changes: [change] } }]);
});

test('[GC11] somebody who is no member any more has gone at once', async () => {
  const { one, other } = openStage();
  await one.list();
  await other.come(BOB);
  one.presences.left(GARDEN, BOB);
  one.presences.left(GARDEN, ADA);
  expect(one.sent).toEqual([
    [BOB, true],
    [BOB, false],
  ]);
});

test('[GC11] somebody who comes back at once has not gone', async () => {
  const { one, other } = openStage();
  await one.list();
  await other.come(BOB);
  await other.go(BOB);
  await other.come(BOB);
  await other.later(6);
  expect(one.sent).toEqual([[BOB, true]]);
});

test('[GC11] if a process does not answer any more, its users are gone, and what was lost is found again', async () => {
  const { one, other, state } = openStage();
  await one.list();
  await other.come(BOB);
  state.isCut = true;
  await one.later(31);
  expect(one.sent).toEqual([
    [BOB, true],
    [BOB, false],
  ]);
  state.isCut = false;
  await one.later(31);
  expect(one.sent.slice(2)).toEqual([[BOB, true]]);
  one.presences.stop();
});

test('[GC11] nobody has gone because more people are there than a process names', async () => {
  const { one, other } = openStage();
  await one.list();
  const crowd = Array.from({ length: 150 }, (_, index) => id(100 + index));
  for (const user of crowd) await other.come(user);
  expect(one.sent).toHaveLength(crowd.length);
  await one.later(31);
  expect(one.sent).toHaveLength(crowd.length);
  await other.go(id(249));
  await other.later(6);
  expect(one.sent.slice(crowd.length)).toEqual([[id(249), false]]);
});
