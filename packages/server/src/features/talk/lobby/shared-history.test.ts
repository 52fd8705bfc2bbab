import { type LobbyMessage, parseId } from '@hearth/protocol';
import { describe, expect, test } from 'bun:test';
import {
  idAt,
  type LobbyProcess,
  SharedLobby,
  type Step,
} from '@hearth/testing/ports/shared-lobby';
import { recordChanges } from '@hearth/testing/ports/record-changes';
import { until } from '@hearth/testing/until';
import type { HistoryBounds } from '../../../config/config.ts';
import { jsonLogger } from '../../../log/logger.ts';
import { openHistory } from './history.ts';
import type { HistoryQuery } from './message-history.ts';
import { eraseMessage } from './changes/store.ts';
import { selectMessages } from './store.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const LOOK_MS = 1_000;
/** Bounds that nothing here reaches. */
const ROOM: HistoryBounds = { messages: 1_000_000, days: 36_500 };
const ALL: HistoryQuery = { after: undefined, before: undefined, limit: 1_000_000 };

const CANNOT = { level: 50, msg: 'messages cannot be written to the history' };
const AGAIN = { level: 30, msg: 'messages are written to the history again' };

/** The messages in the database, the oldest first. */
async function written({ database }: SharedLobby): Promise<readonly LobbyMessage[]> {
  const range = { afterNumber: -1, sinceMs: 0, after: undefined, before: undefined };
  const wanted = { ...range, limit: ALL.limit, from: 'oldest' } as const;
  return (await selectMessages(database.reader, wanted)).toReversed();
}

/** Returns what a process lists, the oldest first. */
async function listed({ history }: LobbyProcess, query = ALL): Promise<readonly LobbyMessage[]> {
  return (await history.list(query)).toReversed();
}

function remove({ database }: SharedLobby, message: LobbyMessage | undefined): Promise<boolean> {
  const id = message?.id ?? idAt(0);
  return database.transaction(({ sql: writer }) => eraseMessage(writer, id));
}

function failAt(...steps: readonly Step[]): LobbyProcess['before'] {
  return async (step) => {
    if (steps.includes(step)) throw new Error(`the test refuses to ${step}`);
  };
}

/** A process waits at this step until it is released. */
function hold(process: LobbyProcess, held: Step) {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  process.before = async (step) => {
    if (step !== held) return;
    reach();
    await promise;
  };
  return { reached, release };
}

describe('[LB10] a message', () => {
  test('a message is written to the database automatically, together with others of the same moment, and leaves the journal', async () => {
    await using lobby = await SharedLobby.open(ROOM);
    const process = await lobby.start();
    lobby.post(process, 300);
    await until(async () => (await written(lobby)).length > 0);
    expect(await written(lobby)).toEqual(lobby.dispatched);
    await until(async () => lobby.journal.contents().length === 0);
    expect(process.begun).toBe(1);
  });

  test('a message is written by the next writer, because a process whose own messages are written leaves later ones to others', async () => {
    await using lobby = await SharedLobby.open(ROOM);
    const [one, other] = [await lobby.start(), await lobby.start()];
    lobby.post(one, 1);
    const { reached, release } = hold(one, 'read');
    await reached;
    await other.history.flush();
    lobby.post(undefined, 3);
    release();
    lobby.post(other, 1);
    await until(async () => (await written(lobby)).length === 5);
    expect(one.begun).toBe(0);
  });

  test('a message is also written by a process without messages of its own, soon after another process was writing', async () => {
    await using lobby = await SharedLobby.open(ROOM);
    const process = await lobby.start();
    lobby.post(undefined, 3);
    process.isOtherBusy = true;
    process.before = async (step) => {
      if (step === 'begin' && process.begun > 1) process.isOtherBusy = false;
    };
    lobby.clock.advance(LOOK_MS);
    await until(async () => (await written(lobby)).length === 3);
  });

  test('that does not fit into one write follows at once, however much there is', async () => {
    await using lobby = await SharedLobby.open(ROOM);
    const process = await lobby.start();
    lobby.post(process, 2_500);
    lobby.post(process, 40, 'x'.repeat(100_000));
    await until(async () => lobby.journal.contents().length === 0);
    expect(await written(lobby)).toEqual(lobby.dispatched);
  });

  test('that arrives while others are being written is written without waiting for a check', async () => {
    await using lobby = await SharedLobby.open(ROOM);
    const process = await lobby.start();
    const { reached, release } = hold(process, 'begin');
    lobby.post(process, 5);
    await reached;
    lobby.post(process, 5);
    // Longer than a group gathers, so that its own attempt is due before the one under way has ended.
    await new Promise((resolve) => setTimeout(resolve, 150));
    release();
    await until(async () => (await written(lobby)).length === 10);
  });

  test('a message is left to another process that is writing, and written if that one did not', async () => {
    await using lobby = await SharedLobby.open(ROOM);
    const process = await lobby.start();
    process.isOtherBusy = true;
    lobby.post(process, 5);
    await until(async () => process.begun > 3);
    expect(await written(lobby)).toEqual([]);
    expect(process.logged).toEqual([]);
    process.isOtherBusy = false;
    await until(async () => (await written(lobby)).length === 5);
  });

  test('a message of a process that was killed is written by another within a second', async () => {
    await using lobby = await SharedLobby.open(ROOM);
    const [one, other] = [await lobby.start(), await lobby.start()];
    await one.kill();
    lobby.post(undefined, 5);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await written(lobby)).toEqual([]);
    expect(await listed(other)).toEqual(lobby.dispatched);
    lobby.clock.advance(LOOK_MS);
    await until(async () => lobby.journal.contents().length === 0);
    expect(await written(lobby)).toEqual(lobby.dispatched);
  });

  test('a message is written once and in order if several processes write at the same time', async () => {
    await using lobby = await SharedLobby.open(ROOM);
    const processes = [await lobby.start(), await lobby.start(), await lobby.start()];
    for (let round = 0; round < 10; round += 1) {
      for (const process of processes) lobby.post(process, 1 + (round % 3));
      let reading = 0;
      const { promise: allRead, resolve } = Promise.withResolvers<void>();
      for (const process of processes) {
        let isFirst = true;
        process.before = async (step) => {
          if (step !== 'begin' || !isFirst) return;
          isFirst = false;
          reading += 1;
          if (reading === processes.length) resolve();
          await allRead;
        };
      }
      // All have read the same part of the journal when the first of them begins.
      await Promise.all(processes.map(({ history }) => history.flush()));
    }
    expect(await written(lobby)).toEqual(lobby.dispatched);
    for (const process of processes) expect(await listed(process)).toEqual(lobby.dispatched);
  }, 120_000);
});

describe('a process that is killed between writing messages and removing them from the journal', () => {
  async function killedThere() {
    const lobby = await SharedLobby.open(ROOM);
    const [one, other] = [await lobby.start(), await lobby.start()];
    one.before = failAt('drop');
    lobby.post(undefined, 5);
    await one.history.flush().catch(() => {});
    await one.kill();
    expect(await written(lobby)).toEqual(lobby.dispatched);
    expect(lobby.journal.contents()).toEqual(lobby.dispatched);
    return { lobby, other };
  }

  test('[LB5] no list repeats the messages, before and after another one follows', async () => {
    const { lobby, other } = await killedThere();
    await using _lobby = lobby;
    expect(await listed(other)).toEqual(lobby.dispatched);
    lobby.post(other, 3);
    expect(await listed(other)).toEqual(lobby.dispatched);
    await other.history.flush();
    expect(await written(lobby)).toEqual(lobby.dispatched);
    expect(await listed(other)).toEqual(lobby.dispatched);
    expect(lobby.journal.contents()).toEqual([]);
  });

  test('[LB12] no removed message comes back', async () => {
    const { lobby, other } = await killedThere();
    await using _lobby = lobby;
    expect(await remove(lobby, lobby.dispatched[2])).toBe(true);
    const left = lobby.dispatched.filter((_, index) => index !== 2);
    expect(await listed(other)).toEqual(left);
    await other.history.flush();
    expect(await listed(other)).toEqual(left);
    expect(await written(lobby)).toEqual(left);
  });
});

describe('[LB5] a list', () => {
  test('a list has what any process has dispatched, at once', async () => {
    await using lobby = await SharedLobby.open(ROOM);
    const [one, other] = [await lobby.start(), await lobby.start()];
    for (const writer of [one, other, undefined]) {
      lobby.post(writer, 3);
      for (const reader of [one, other]) expect(await listed(reader)).toEqual(lobby.dispatched);
    }
  });

  test.each<[Step]>([['read'], ['reader']])(
    'has everything once if others write meanwhile, before it can %s',
    async (step) => {
      await using lobby = await SharedLobby.open(ROOM);
      const [reader, writer] = [await lobby.start(), await lobby.start()];
      lobby.post(undefined, 3);
      await writer.history.flush();
      lobby.post(undefined, 3);
      const expected = [...lobby.dispatched];
      const begun: Step[] = [];
      reader.before = async (each) => {
        begun.push(each);
        if (each !== step) return;
        lobby.post(undefined, 2);
        await writer.history.flush();
      };
      const found = await listed(reader);
      expect(begun).toEqual(['read', 'reader', 'reader']);
      expect(found.slice(0, expected.length)).toEqual(expected);
      expect(found).toEqual(lobby.dispatched.slice(0, found.length));
    },
  );

  test('[LB6] a list has no message that left the journal because there were too many, even while another process writes it', async () => {
    await using lobby = await SharedLobby.open({ messages: 1, days: 30 });
    const [reader, writer] = [await lobby.start(), await lobby.start()];
    lobby.post(undefined, 1);
    const { reached, release } = hold(writer, 'begin');
    const flushed = writer.history.flush();
    await reached;
    lobby.post(undefined, 1);
    let readings = 0;
    reader.before = async (step) => {
      if (step !== 'reader') return;
      readings += 1;
      // The end of the database is known by then.
      if (readings < 2) return;
      release();
      await flushed;
      expect(await written(lobby)).toEqual(lobby.dispatched.slice(0, 1));
    };
    expect(await listed(reader)).toEqual(lobby.dispatched.slice(1));
    expect(readings).toBe(2);
  });

  test('[LB3] a list has the messages closest after a place, or before it, or in between', async () => {
    await using lobby = await SharedLobby.open(ROOM);
    const process = await lobby.start();
    lobby.post(undefined, 6);
    await process.history.flush();
    lobby.post(undefined, 6);
    const all = lobby.dispatched;
    const [third, tenth] = [all[2]?.id, all[9]?.id];
    const ask = async (after = third, before = tenth, limit = 2) =>
      listed(process, { after, before, limit });
    expect(await ask()).toEqual(all.slice(7, 9));
    expect(await ask(third, tenth, 100)).toEqual(all.slice(3, 9));
    expect(await listed(process, { after: third, before: undefined, limit: 5 })).toEqual(
      all.slice(3, 8),
    );
    expect(await listed(process, { after: undefined, before: tenth, limit: 5 })).toEqual(
      all.slice(4, 9),
    );
    const largest = parseId('340282366920938463463374607431768211455');
    expect(await ask(largest, undefined)).toEqual([]);
  });

  test('that gets no answer ends with an error within 3 s', async () => {
    await using lobby = await SharedLobby.open(ROOM);
    const process = await lobby.start();
    const { release } = hold(process, 'reader');
    await expect(process.history.list(ALL)).rejects.toThrow('no answer');
    release();
  });
});

describe.each<[string, readonly Step[]]>([
  ['the database', ['begin', 'reader']],
  ['the journal', ['read', 'drop']],
])('if %s is unavailable', (_what, steps) => {
  test('messages stay in the journal, no list is answered, and everything recovers by itself, which is logged once', async () => {
    await using lobby = await SharedLobby.open(ROOM);
    const process = await lobby.start();
    lobby.post(process, 2);
    await process.history.flush();
    const entries = [];
    for (let outage = 0; outage < 2; outage += 1) {
      process.before = failAt(...steps);
      lobby.post(process, 100);
      await until(async () => process.logged.length > entries.length);
      entries.push(CANNOT);
      for (let attempt = 0; attempt < 3; attempt += 1) {
        lobby.post(process, 100);
        lobby.clock.advance(LOOK_MS);
        await expect(process.history.flush()).rejects.toThrow('refuses');
        await expect(process.history.list(ALL)).rejects.toThrow('refuses');
      }
      expect(process.logged).toMatchObject(entries);
      process.before = async () => {};
      expect(await listed(process)).toEqual(lobby.dispatched);
      lobby.clock.advance(LOOK_MS);
      entries.push(AGAIN);
      await until(async () => process.logged.length === entries.length);
      await until(async () => lobby.journal.contents().length === 0);
      expect(await written(lobby)).toEqual(lobby.dispatched);
      expect(process.logged).toMatchObject(entries);
    }
  });

  test('an attempt is made at every check and not for every message', async () => {
    await using lobby = await SharedLobby.open(ROOM);
    const process = await lobby.start();
    lobby.post(process, 1);
    let attempts = 0;
    process.before = async (step) => {
      if (step === steps[0]) attempts += 1;
      await failAt(...steps)(step);
    };
    await until(async () => process.logged.length > 0);
    lobby.post(process, 1);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(attempts).toBe(1);
    lobby.clock.advance(LOOK_MS);
    await until(async () => attempts === 2);
  });
});

test('while nothing can be written, a list does not read a long journal if the database is unavailable', async () => {
  await using lobby = await SharedLobby.open(ROOM);
  const process = await lobby.start();
  process.before = failAt('begin', 'reader');
  lobby.post(process, 1);
  await until(async () => process.logged.length > 0);
  let isAsked = false;
  process.before = async (step) => {
    if (step === 'read') isAsked = true;
    await failAt('begin', 'reader')(step);
  };
  await expect(process.history.list(ALL)).rejects.toThrow('refuses to reader');
  expect(isAsked).toBe(false);
});

describe('[LB10] a stop', () => {
  test.each([1, 64, 1_024, 1_025, 3_000])(
    'a stop loses none of %d messages that wait',
    async (count) => {
      await using lobby = await SharedLobby.open(ROOM);
      const process = await lobby.start();
      lobby.post(process, count);
      await process.history[Symbol.asyncDispose]();
      expect(await written(lobby)).toEqual(lobby.dispatched);
      expect(lobby.journal.contents()).toEqual([]);
      expect(process.logged).toEqual([]);
    },
  );

  test('a stop leaves messages that it cannot write to the next start, and logs this', async () => {
    await using lobby = await SharedLobby.open(ROOM);
    const process = await lobby.start();
    process.before = failAt('begin');
    lobby.post(process, 3);
    await process.history[Symbol.asyncDispose]();
    const LEFT = 'the end of the history is left to another process or the next start';
    expect(process.logged).toMatchObject([CANNOT, { level: 40, msg: LEFT }]);
    expect(lobby.journal.contents()).toEqual(lobby.dispatched);
    const next = await lobby.start();
    lobby.clock.advance(LOOK_MS);
    await until(async () => (await written(lobby)).length === 3);
    expect(await listed(next)).toEqual(lobby.dispatched);
  });

  test.each<[string, (process: LobbyProcess) => () => void]>([
    ['a database that does not answer', (process) => hold(process, 'begin').release],
    ['a journal that does not answer', (process) => hold(process, 'read').release],
    [
      'another process that does not end',
      (process) => {
        process.isOtherBusy = true;
        return () => {};
      },
    ],
  ])('a stop does not wait for %s', async (_what, block) => {
    await using lobby = await SharedLobby.open(ROOM);
    const process = await lobby.start();
    const release = block(process);
    lobby.post(process, 3);
    await process.history[Symbol.asyncDispose]();
    expect(process.logged).toMatchObject([{ level: 40 }]);
    const tried = process.begun;
    release();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(process.begun - tried).toBeLessThanOrEqual(1);
  });
});

describe('[LB6] a message beyond', () => {
  const numbers = async (process: LobbyProcess) =>
    (await listed(process)).map(({ content }) => Number(content.split(' ')[1]));

  test('the number of messages is not returned, from the journal or the database, and does not come back', async () => {
    await using lobby = await SharedLobby.open({ messages: 3, days: 30 });
    const [one, other] = [await lobby.start(), await lobby.start()];
    lobby.post(undefined, 2);
    await one.history.flush();
    lobby.post(undefined, 2);
    for (const process of [one, other]) expect(await numbers(process)).toEqual([1, 2, 3]);
    lobby.post(undefined, 1);
    for (const process of [one, other]) expect(await numbers(process)).toEqual([2, 3, 4]);
    await other.history.flush();
    for (const process of [one, other]) expect(await numbers(process)).toEqual([2, 3, 4]);
    expect(await remove(lobby, lobby.dispatched[3])).toBe(true);
    const late = await lobby.start();
    for (const process of [one, other, late]) expect(await numbers(process)).toEqual([2, 4]);
    lobby.post(undefined, 1);
    for (const process of [one, other, late]) expect(await numbers(process)).toEqual([4, 5]);
    lobby.post(undefined, 10);
    for (const process of [one, other, late]) expect(await numbers(process)).toEqual([13, 14, 15]);
  });

  test.each([['waiting'], ['written']])(
    'the days is not answered: a message that is %s',
    async (how) => {
      await using lobby = await SharedLobby.open({ messages: 100, days: 30 });
      const process = await lobby.start();
      if (how === 'waiting') process.isOtherBusy = true;
      lobby.post(undefined, 1);
      lobby.clock.halt(1);
      lobby.post(undefined, 1);
      if (how === 'written') await process.history.flush();
      lobby.clock.halt(30 * DAY_MS - 1);
      expect(await numbers(process)).toEqual([0, 1]);
      lobby.clock.halt(1);
      expect(await numbers(process)).toEqual([1]);
      lobby.clock.halt(1);
      expect(await numbers(process)).toEqual([]);
      process.isOtherBusy = false;
    },
  );

  test('a history of zero messages is deleted, also from the journal', async () => {
    await using lobby = await SharedLobby.open(ROOM);
    const before = await lobby.start();
    lobby.post(before, 5);
    await before.history[Symbol.asyncDispose]();
    lobby.post(undefined, 5);
    const process = await lobby.start({ messages: 0, days: 30 });
    expect(await listed(process)).toEqual([]);
    lobby.clock.halt(MINUTE_MS);
    await until(async () => (await written(lobby)).length === 0);
    await until(async () => lobby.journal.contents().length === 0);
    lobby.post(process, 1);
    expect(await listed(process)).toEqual([]);
  });
});

describe('[LB13] a message that is no longer kept', () => {
  /** Each message in its own place in the database, as if there were little traffic. */
  async function postApart(lobby: SharedLobby, { history }: LobbyProcess, count: number) {
    for (let i = 0; i < count; i += 1) {
      lobby.post(undefined, 1);
      await history.flush();
    }
  }

  test('a message is deleted in the end while messages keep arriving, a few at a time', async () => {
    await using lobby = await SharedLobby.open({ messages: 10, days: 30 });
    const before = await lobby.start(ROOM);
    await postApart(lobby, before, 150);
    await before.history[Symbol.asyncDispose]();
    const process = await lobby.start();
    for (let left = 150; left > 10;) {
      await postApart(lobby, process, 1);
      const { length } = await written(lobby);
      expect(length).toBeLessThan(left);
      expect(left - length).toBeLessThanOrEqual(64);
      left = length;
    }
    expect(await written(lobby)).toEqual(lobby.dispatched.slice(-10));
  }, 120_000);

  test('a message is deleted in the end if none arrive, by the first process to check, and no cache is notified of a change', async () => {
    await using lobby = await SharedLobby.open({ messages: 1_000, days: 2 });
    const [one, other] = [await lobby.start(), await lobby.start()];
    await postApart(lobby, one, 100);
    lobby.clock.halt(DAY_MS);
    await postApart(lobby, other, 5);
    const heard = recordChanges(lobby.database);
    lobby.clock.halt(DAY_MS + 1);
    await until(async () => {
      lobby.clock.halt(MINUTE_MS);
      return (await written(lobby)).length === 5;
    });
    expect(await written(lobby)).toEqual(lobby.dispatched.slice(-5));
    expect(heard()).toEqual([]);
    expect([...one.logged, ...other.logged]).toEqual([]);
  }, 120_000);
});

test('[LB5][LB6] the history of an embedded instance continues when it is shared, and when it is embedded again', async () => {
  await using lobby = await SharedLobby.open({ messages: 5, days: 30 });
  const { database, clock, bounds } = lobby;
  const log = jsonLogger('silent', () => {});
  const embedded = await openHistory({ database, clock, log, bounds });
  lobby.post(undefined, 4);
  for (const message of lobby.journal.contents()) embedded.append(message);
  await embedded[Symbol.asyncDispose]();
  const shared = await lobby.start();
  expect(await listed(shared)).toEqual(lobby.dispatched);
  lobby.post(undefined, 3);
  expect(await listed(shared)).toEqual(lobby.dispatched.slice(-5));
  await shared.history[Symbol.asyncDispose]();
  await using again = await openHistory({ database, clock, log, bounds });
  expect((await again.list(ALL)).toReversed()).toEqual(lobby.dispatched.slice(-5));
});
