import { idParts, type LobbyMessage } from '@hearth/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Recorder } from '@hearth/testing/ports/bus-recorder';
import type { SharedEnvironment } from '@hearth/testing/instances/cluster';
import { postingProcess } from '@hearth/testing/instances/posting-process';
import { openSharedMember, type SharedMember } from '@hearth/testing/instances/shared-member';
import {
  areServersMissing,
  startSharedServers,
  type OwnServers,
} from '@hearth/testing/servers/shared-servers';
import { until } from '@hearth/testing/until';
import type { HistoryQuery } from './message-history.ts';
import { eraseMessage } from './changes/store.ts';
import { selectMessages } from './store.ts';
import { lobbyMessageOf } from './message-journal.ts';

const ROOM = { messages: 1_000_000, days: 30 };
const ALL: HistoryQuery = { after: undefined, before: undefined, limit: 1_000_000 };

let servers: OwnServers;
let environment: SharedEnvironment;
let members: AsyncDisposableStack;

beforeAll(async () => {
  if (!areServersMissing) servers = await startSharedServers();
});
afterAll(() => servers?.[Symbol.asyncDispose]());
beforeEach(async () => {
  if (areServersMissing) return;
  environment = await servers.newInstance();
  members = new AsyncDisposableStack();
});
afterEach(() => members?.disposeAsync());

async function open(bounds = ROOM): Promise<SharedMember> {
  return members.use(await openSharedMember(environment, bounds));
}

/** The oldest first. */
async function listed({ history }: SharedMember): Promise<readonly LobbyMessage[]> {
  return (await history.list(ALL)).toReversed();
}

/** The messages in the database, the oldest first. */
async function written({ database }: SharedMember): Promise<readonly LobbyMessage[]> {
  const range = { afterNumber: -1, sinceMs: 0, after: undefined, before: undefined };
  const wanted = { ...range, limit: ALL.limit, from: 'oldest' } as const;
  return (await selectMessages(database.reader, wanted)).toReversed();
}

async function rowsOf({ database }: SharedMember): Promise<number> {
  return (await database.reader.selectFrom('message_groups').select('first_id').execute()).length;
}

/** Everything that was dispatched, as a gateway sees it. */
async function follow({ bus }: SharedMember) {
  const recorder = new Recorder();
  const subscription = await bus.subscribe(recorder);
  return async (): Promise<readonly LobbyMessage[]> => {
    await subscription.current();
    return recorder.taken
      .map(({ event }) => lobbyMessageOf(event.d))
      .filter((message) => message !== undefined);
  };
}

const contentsOf = (messages: readonly LobbyMessage[]) => messages.map(({ content }) => content);

/** Tries until it works: a service is back some moments after its server. */
async function untilWorks<Value>(attempt: () => Promise<Value>): Promise<Value> {
  let value: Promise<Value> | undefined;
  await until(async () => {
    value = attempt();
    return value.then(
      () => true,
      () => false,
    );
  });
  if (value === undefined) throw new Error('it was tried');
  return value;
}

describe.skipIf(areServersMissing)('[LB5][LB10] a history on PostgreSQL and Redis', () => {
  test('a history has every dispatched message in every list, once and in the order of dispatch, while all processes post and write', async () => {
    const processes = [await open(), await open(), await open()];
    const [first] = processes;
    if (first === undefined) throw new Error('there are three');
    const dispatched = await follow(first);
    const answered: string[] = [];
    const postOn = async (process: SharedMember, who: number) => {
      for (let count = 0; count < 400; count += 1) {
        await process.post(`${who} ${count}`);
        answered.push(`${who} ${count}`);
      }
    };
    const posting = Promise.all(processes.map(postOn));
    let isOver = false;
    const over = posting.then(() => (isOver = true));
    let lists = 0;
    while (!isOver) {
      for (const process of processes) {
        const before = [...answered];
        const found = await listed(process);
        const contents = new Set(contentsOf(found));
        expect(contents.size).toBe(found.length);
        expect(before.filter((content) => !contents.has(content))).toEqual([]);
        const all = await dispatched();
        expect(found).toEqual(all.slice(0, found.length));
        lists += 1;
      }
    }
    await over;
    expect(lists).toBeGreaterThan(0);
    const all = await dispatched();
    expect(all).toHaveLength(1_200);
    const ids = all.map(({ id }) => BigInt(id));
    expect(ids.every((id, index) => id > (ids[index - 1] ?? -1n))).toBe(true);
    const instanceIds = new Set(all.map(({ id }) => idParts(id).instanceId));
    expect([...instanceIds]).toEqual([first.identity.instanceId]);
    for (const process of processes) expect(await listed(process)).toEqual(all);
    await until(async () => (await first.journal.read()).length === 0);
    expect(await written(first)).toEqual(all);
  }, 120_000);

  test('a history respects its bounds and removals at every process', async () => {
    const bounds = { messages: 100, days: 30 };
    const [one, other] = [await open(bounds), await open(bounds)];
    const dispatched = await follow(one);
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(Array.from({ length: 70 }, (_, i) => (i % 2 ? one : other).post(`${i}`)));
      const all = await dispatched();
      for (const process of [one, other]) expect(await listed(process)).toEqual(all.slice(-100));
    }
    const all = (await dispatched()).slice(-100);
    await other.history.flush();
    const [removed] = all.slice(50);
    if (removed === undefined) throw new Error('there are 100');
    await one.database.transaction(({ sql: writer }) => eraseMessage(writer, removed.id));
    const left = all.filter(({ id }) => id !== removed.id);
    for (const process of [one, other]) expect(await listed(process)).toEqual(left);
  }, 120_000);

  test('a history loses no message in a clean stop, and continues at the next start', async () => {
    const one = await openSharedMember(environment, ROOM);
    await Promise.all(Array.from({ length: 300 }, (_, count) => one.post(`${count}`)));
    const before = await listed(one);
    expect(before).toHaveLength(300);
    await one[Symbol.asyncDispose]();
    const next = await open();
    expect(await listed(next)).toEqual(before);
    // A stop does not wait for a busy database for ever: the next start writes the rest.
    await until(async () => (await next.journal.read(1)).length === 0);
    expect(await written(next)).toEqual(before);
    // In groups, and not one by one.
    expect(await rowsOf(next)).toBeLessThan(100);
    await next.post('after');
    expect(contentsOf(await listed(next))).toEqual([...contentsOf(before), 'after']);
  });

  test('a history has everything that was dispatched by processes that are killed while they post and write, once and in order', async () => {
    const survivor = await open();
    const dispatched = await follow(survivor);
    const said: string[] = [];
    for (const name of ['first', 'second', 'third', 'fourth']) {
      await using posting = postingProcess(environment, name);
      await using beside = postingProcess(environment, `beside the ${name}`);
      const lines = [posting, beside].map(async (process) => {
        // Until some were written by one of them, and more are waiting.
        for (let count = 0; count < 300; count += 1) said.push(await process.says());
      });
      await Promise.all(lines);
      await Promise.all([posting.kill(), beside.kill()]);
      const found = await listed(survivor);
      // What they had sent may arrive after they have died.
      expect(found).toEqual((await dispatched()).slice(0, found.length));
      const contents = new Set(contentsOf(found));
      expect(contents.size).toBe(found.length);
      expect(said.filter((content) => !contents.has(content))).toEqual([]);
    }
    await until(async () => (await survivor.journal.read(1)).length === 0);
    expect(await written(survivor)).toEqual(await dispatched());
  }, 120_000);

  test('a history has the messages that were dispatched while PostgreSQL was paused, after it continues; until then no list is answered', async () => {
    const [one, other] = [await open(), await open()];
    await one.post('before');
    await until(async () => (await one.journal.read()).length === 0);
    await servers.postgres.pause();
    try {
      for (const process of [one, other]) await process.post('meanwhile');
      await Promise.all(
        [one, other].map(({ history }) => expect(history.list(ALL)).rejects.toThrow()),
      );
    } finally {
      await servers.postgres.resume();
    }
    const expected = ['before', 'meanwhile', 'meanwhile'];
    for (const process of [one, other]) {
      const found = await untilWorks(() => listed(process));
      expect(contentsOf(found)).toEqual(expected);
    }
    await until(async () => (await one.journal.read()).length === 0);
    expect(contentsOf(await written(one))).toEqual(expected);
  }, 120_000);

  test('a history has what was written before Redis restarts empty, and what is dispatched afterwards', async () => {
    const [one, other] = [await open(), await open()];
    for (const content of ['a', 'b']) await one.post(content);
    await one.history.flush();
    await servers.redis.stop();
    for (const { history } of [one, other]) await expect(history.list(ALL)).rejects.toThrow();
    await servers.redis.start();
    // What was not answered in time may have been dispatched.
    await untilWorks(() => other.post('c'));
    const found = await untilWorks(() => listed(one));
    expect(contentsOf(found).slice(0, 3)).toEqual(['a', 'b', 'c']);
    expect(new Set(contentsOf(found.slice(2)))).toEqual(new Set(['c']));
    const ids = found.map(({ id }) => BigInt(id));
    expect(ids.every((id, index) => id > (ids[index - 1] ?? -1n))).toBe(true);
    expect(await untilWorks(() => listed(other))).toEqual(found);
    await until(async () => (await untilWorks(() => one.journal.read())).length === 0);
    expect(await written(one)).toEqual(found);
  }, 120_000);
});
