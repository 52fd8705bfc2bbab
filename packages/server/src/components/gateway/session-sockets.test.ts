import { expect, test } from 'bun:test';
import { formatId, type Id } from '@hearth/protocol';
import { onSessionChange, sessionEndedBy } from '../../features/accounts/sessions/session-ends.ts';
import type { Change, ChangeListener } from '../../ports/database/database.ts';
import { jsonLogger } from '../../log/logger.ts';
import { newConnection, type ConnectionSocket } from './connection.ts';
import { newAccountProfile } from './profile.ts';
import { SessionSockets } from './session-sockets.ts';

const id = (sequence: number) => formatId({ seconds: 1, instanceId: 1, sequence });
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Sockets of sessions, of which those in `ended` have ended. */
function openSessions() {
  const listeners = new Set<ChangeListener>();
  const closed: ConnectionSocket[] = [];
  const asked: (readonly Id[])[] = [];
  const ended = new Set<Id>();
  const state = { isAway: false };
  const sessions: SessionSockets = new SessionSockets({
    accounts: {
      onChange: (listener) =>
        onSessionChange(
          {
            onChange(heard) {
              listeners.add(heard);
              return () => listeners.delete(heard);
            },
          },
          listener,
        ),
      async lasting(some) {
        asked.push(some);
        if (state.isAway) throw new Error('the database is away');
        return new Set(some.filter((each) => !ended.has(each)));
      },
    },
    close(socket) {
      closed.push(socket);
      const { profile } = socket.data;
      if ('session' in profile && profile.session) sessions.delete(profile.session, socket);
    },
    log: jsonLogger('silent', () => {}),
  });
  const report = (changes: readonly Change[] | 'unknown') =>
    listeners.forEach((listener) => listener(changes));
  const changed = (session: Id) => report([{ kind: 'sessions', id: session }]);
  const add = (session: Id) => {
    const profile = { ...newAccountProfile(), session };
    const socket: ConnectionSocket = {
      data: newConnection({ client: '192.0.2.1', accessCode: undefined, profile }, 0),
      send: () => {},
      close: () => {},
      terminate: () => {},
      subscribe: () => {},
      unsubscribe: () => {},
      cork: (run) => run(),
      getBufferedAmount: () => 0,
    };
    sessions.add(session, socket);
    return socket;
  };
  const tick = async () => {
    sessions.tick();
    for (let turns = 0; turns < 3; turns += 1) await turn();
  };
  return { sessions, add, changed, report, tick, closed, asked, ended, state, listeners };
}

test('[GP13] all sockets of a session are closed when SESSION_END passes, and no others', () => {
  const { sessions, add, closed } = openSessions();
  const [one, other] = [add(id(1)), add(id(1))];
  add(id(2));
  expect(sessionEndedBy({ op: 'USER_UPDATE', d: { id: id(1) } })).toBeUndefined();
  expect(sessionEndedBy({ op: 'SESSION_END', d: { id: id(1) } })).toBe(id(1));
  sessions.end(id(1));
  sessions.end(id(1));
  sessions.end('nonsense');
  expect(closed).toEqual([one, other]);
});

test('[GP13] a session that the database reports is looked up, and its sockets stay open if it has not ended', async () => {
  const { add, changed, tick, closed, asked, ended } = openSessions();
  const [one] = [add(id(1)), add(id(2))];
  changed(id(1));
  changed(id(3));
  // Not before the tick, so that SESSION_END may come first.
  expect(asked).toEqual([]);
  await tick();
  expect([asked, closed]).toEqual([[[id(1)]], []]);
  ended.add(id(1)).add(id(2));
  await tick();
  expect(closed).toEqual([]);
  changed(id(1));
  await tick();
  // SESSION_END may come until the next tick.
  expect(closed).toEqual([]);
  await tick();
  expect(closed).toEqual([one]);
});

test('[GP13] if anything may have changed, all sessions are looked up, some at a time', async () => {
  const { add, report, tick, closed, asked, ended } = openSessions();
  for (let count = 1; count <= 1_100; count += 1) add(id(count));
  ended.add(id(1_050));
  report('unknown');
  await tick();
  expect(asked.map((some) => some.length)).toEqual([500, 500, 100]);
  await tick();
  expect(closed).toHaveLength(1);
  report([{ kind: 'content', id: id(1) }]);
  await tick();
  expect(asked).toHaveLength(3);
});

test('[GP13] while the database is away, sockets stay open; they are looked up as soon as it answers', async () => {
  const { add, changed, tick, closed, ended, state, sessions } = openSessions();
  const [one, gone] = [add(id(1)), add(id(2))];
  changed(id(1));
  changed(id(2));
  ended.add(id(1)).add(id(2));
  state.isAway = true;
  await tick();
  await tick();
  expect(closed).toEqual([]);
  sessions.delete(id(2), gone);
  state.isAway = false;
  await tick();
  await tick();
  expect(closed).toEqual([one]);
});

test('[GP13] after the stop nothing is heard', () => {
  const { sessions, listeners } = openSessions();
  expect(listeners.size).toBe(1);
  sessions.stop();
  expect(listeners.size).toBe(0);
});
