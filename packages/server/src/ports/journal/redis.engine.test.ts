import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { formatId, idParts, type Id, type LobbyMessage } from '@hearth/protocol';
import { message, numbered, Recorder } from '@hearth/testing/ports/bus-recorder';
import { isRedisMissing } from '@hearth/testing/servers/redis-server';
import { sharedRedis, type SharedRedis } from '@hearth/testing/servers/shared-redis';
import {
  BlockSource,
  freshPrefix,
  INSTANCE_ID,
  openSharedBus,
  type SharedBus,
  type SharedBusOptions,
} from '@hearth/testing/ports/shared-bus';
import { lobbyMessageOf } from '../../features/talk/lobby/message-journal.ts';

let server: SharedRedis;

beforeAll(async () => {
  if (!isRedisMissing) server = await sharedRedis();
});
afterAll(() => server?.[Symbol.asyncDispose]());

async function openPair(journal: NonNullable<SharedBusOptions['bounds']>['journal'] = {}) {
  await using resources = new AsyncDisposableStack();
  const shared = {
    ...{ url: server.url, prefix: freshPrefix(), blocks: new BlockSource() },
    bounds: { journal },
  };
  const one = resources.use(await openSharedBus(shared));
  const other = resources.use(await openSharedBus(shared));
  const owned = resources.move();
  return { one, other, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function publishAll({ bus }: SharedBus, contents: readonly string[]): Promise<void> {
  await Promise.all(contents.map((content) => bus.append(message(content, 'nonce'))));
}

const contentsOf = (messages: readonly LobbyMessage[]) => messages.map(({ content }) => content);

const bytesCounted = async ({ link, keys }: SharedBus) =>
  Number(await link.send('HGET', [keys[0], 'journal_bytes']));

const bytesThere = async ({ link, keys }: SharedBus) => {
  const entries = await link.send('LRANGE', [keys[2], '0', '-1']);
  if (!Array.isArray(entries)) throw new Error('no entries');
  return entries.reduce((sum, entry) => sum + Buffer.byteLength(String(entry)), 0);
};

describe.skipIf(isRedisMissing)('the Redis journal', () => {
  test('the journal returns dispatched messages as the history stores them, in the order of the stream', async () => {
    await using pair = await openPair();
    const follower = new Recorder();
    const subscription = await pair.one.bus.subscribe(follower);
    const sent = numbered(300).map((content) => `grüße 👋 \u0000 ${content}`);
    await Promise.all([
      publishAll(pair.one, sent.slice(0, 150)),
      publishAll(pair.other, sent.slice(150)),
    ]);
    await subscription.current();
    const taken = follower.taken.map(({ event }) => lobbyMessageOf(event.d));
    expect<unknown>(await pair.other.journal.read()).toEqual(taken);
    expect<unknown>(await pair.other.journal.read(7)).toEqual(taken.slice(0, 7));
    expect(await pair.other.journal.read(0)).toEqual([]);
    expect(Object.keys((await pair.one.journal.read(1))[0] ?? {})).toEqual([
      ...['id', 'author', 'content', 'created_at'],
    ]);
  });

  test('the journal drops messages up to an identifier, and no others, even if the call is repeated', async () => {
    await using pair = await openPair();
    const { one, other } = pair;
    await publishAll(one, numbered(700));
    const all = await one.journal.read();
    const idAt = (index: number) => all[index]?.id ?? formatId(nowhere(0));
    for (const [upTo, left] of [
      [idAt(0), 699],
      [idAt(599), 100],
      [idAt(599), 100],
      [idAt(3), 100],
      [formatId(nowhere(0)), 100],
      [between(idAt(620)), 79],
    ] as const) {
      await Promise.all([one.journal.drop(upTo), other.journal.drop(upTo)]);
      expect(await one.journal.read()).toEqual(all.slice(700 - left));
      expect(await bytesCounted(one)).toBe(await bytesThere(one));
    }
    await other.journal.drop(formatId(nowhere(2 ** 47)));
    expect(await one.journal.read()).toEqual([]);
    expect(await bytesCounted(one)).toBe(0);
    await publishAll(other, ['after']);
    expect(contentsOf(await one.journal.read())).toEqual(['after']);
  });

  test('the journal is bounded by the number of messages, and loses the oldest ones', async () => {
    await using pair = await openPair({ messages: 100 });
    const sent = numbered(250);
    for (let from = 0; from < 250; from += 50)
      await publishAll(pair.one, sent.slice(from, from + 50));
    expect(contentsOf(await pair.one.journal.read())).toEqual(sent.slice(-100));
    expect(await bytesCounted(pair.one)).toBe(await bytesThere(pair.one));
  });

  test('the journal is bounded by the bytes of its messages', async () => {
    await using pair = await openPair({ bytes: 50_000 });
    const sent = numbered(30).map((content) => content.padEnd(4_000, 'ß'));
    for (const content of sent) await publishAll(pair.one, [content]);
    const kept = contentsOf(await pair.one.journal.read());
    expect(kept).toEqual(sent.slice(-kept.length));
    expect(kept.length).toBeGreaterThan(4);
    const bytes = await bytesThere(pair.one);
    expect(bytes).toBeLessThanOrEqual(50_000);
    expect(bytes).toBeGreaterThan(40_000);
    expect(await bytesCounted(pair.one)).toBe(bytes);
  });

  test('the journal counts its bytes from zero again after its key was deleted', async () => {
    await using pair = await openPair({ bytes: 50_000 });
    const { one } = pair;
    for (const content of numbered(12)) await publishAll(one, [content.padEnd(4_000)]);
    await one.link.send('DEL', [one.keys[2]]);
    const sent = ['a', 'b'].map((content) => content.padEnd(4_000));
    for (const content of sent) await publishAll(one, [content]);
    expect(contentsOf(await one.journal.read())).toEqual(sent);
    expect(await bytesCounted(one)).toBe(await bytesThere(one));
  });

  test('the journal keeps nothing if there is no history', async () => {
    await using pair = await openPair({ messages: 0 });
    await publishAll(pair.one, numbered(10));
    expect(await pair.one.journal.read()).toEqual([]);
  });

  test('the journal outlives the stream, and counts its bytes again', async () => {
    await using pair = await openPair();
    const { one } = pair;
    await publishAll(one, numbered(600));
    await one.link.send('DEL', [one.keys[0], one.keys[1]]);
    await one.journal.drop((await one.journal.read(1))[0]?.id ?? formatId(nowhere(0)));
    await publishAll(one, ['600']);
    expect(contentsOf(await one.journal.read())).toEqual(numbered(601).slice(1));
    expect(await bytesCounted(one)).toBe(await bytesThere(one));
  });
});

const nowhere = (seconds: number) => ({ seconds, instanceId: INSTANCE_ID, sequence: 0 });

/** An identifier that no message has: one of the same moment, but of another instance. */
function between(id: Id): Id {
  return formatId({ ...idParts(id), instanceId: INSTANCE_ID + 1 });
}
