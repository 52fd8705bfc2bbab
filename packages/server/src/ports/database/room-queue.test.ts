import { until } from '@hearth/testing/until';
import { describe, expect, test } from 'bun:test';
import type { PostgresConnection } from './postgres-connection.ts';
import { hasNoRoom, RoomQueue } from './room-queue.ts';

const LONG_MS = 60_000;

const refusal = (code: string) => Object.assign(new Error(`refused: ${code}`), { code });

// Guarantee: a queue passes connections on and does nothing with them.
const named = (name: string) => name as unknown as PostgresConnection;
const nameOf = (connection: PostgresConnection) => connection as unknown as string;

/** A queue of a server that answers with `answers` in turn: connections by their names, or errors. */
function queue(...answers: readonly (string | Error)[]) {
  const left = [...answers];
  const unwanted: string[] = [];
  let refused = 0;
  const room = new RoomQueue({
    open: async () => {
      const answer = left.shift() ?? refusal('53300');
      if (answer instanceof Error) throw answer;
      return named(answer);
    },
    onUnwanted: (connection) => unwanted.push(nameOf(connection)),
    onFull: () => (refused += 1),
  });
  return {
    room,
    unwanted,
    asked: () => answers.length - left.length,
    refused: () => refused,
    wait: (timeoutMs = LONG_MS) =>
      room.wait(timeoutMs, refusal('53300')).then(nameOf, (error: Error) => error.message),
  };
}

describe('those who wait until the server has room for a connection', () => {
  test('callers get new connections and returned ones in the order of their calls', async () => {
    const { room, wait } = queue(refusal('53300'), refusal('57P03'), 'new', 'newer');
    const all = [wait(), wait(), wait()];
    expect(room.give(named('returned'))).toBe(true);
    expect(await Promise.all(all)).toEqual(['returned', 'new', 'newer']);
    expect(room.isEmpty).toBe(true);
    expect(room.give(named('again'))).toBe(false);
  });

  test('callers ask one at a time, and report each refusal', async () => {
    const { asked, refused, wait } = queue(refusal('53300'), refusal('53300'), 'new', 'newer');
    await Promise.all([wait(), wait()]);
    expect([asked(), refused()]).toEqual([4, 3]);
  });

  test('callers are refused as the server has refused last if there is no room in time', async () => {
    const { wait } = queue();
    expect(await wait(0)).toBe('refused: 53300');
  });

  test('callers are refused together if the server fails otherwise', async () => {
    const { wait } = queue(refusal('ECONNREFUSED'));
    const all = [wait(), wait()];
    expect(await Promise.all(all)).toEqual(['refused: ECONNREFUSED', 'refused: ECONNREFUSED']);
  });

  test('callers leave a connection that comes too late to others', async () => {
    const opening = Promise.withResolvers<PostgresConnection>();
    const unwanted: string[] = [];
    let isAsked = false;
    const room = new RoomQueue({
      open() {
        isAsked = true;
        return opening.promise;
      },
      onUnwanted: (connection) => unwanted.push(nameOf(connection)),
      onFull: () => {},
    });
    const waiting = room.wait(LONG_MS, refusal('53300')).then(nameOf, String);
    await until(async () => isAsked);
    room.give(named('returned'));
    expect(await waiting).toBe('returned');
    opening.resolve(named('late'));
    await until(async () => unwanted.length > 0);
    expect(unwanted).toEqual(['late']);
  });
});

test.each([
  ['53300', true],
  ['57P03', true],
  ['57P01', false],
  ['ECONNREFUSED', false],
  ['28P01', false],
])('the code %s means that there is no room now: %p', (code, expected) => {
  expect(hasNoRoom(refusal(code))).toBe(expected);
});
