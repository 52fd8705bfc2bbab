import { named } from '@hearth/testing/instances/named';
import { firstIdAt, formatId, idParts, type Id, LOBBY_STREAM } from '@hearth/protocol';
import { instanceRateLimitsSchema, messageCreateSchema } from '@hearth/protocol/schemas';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startComponents } from '../src/components/start-components.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { openHistory } from '../src/features/talk/lobby/history.ts';
import { lobbyMessageOf } from '../src/features/talk/lobby/message-journal.ts';
import type { BusEvent } from '../src/ports/bus/bus.ts';
import { memoryBus } from '../src/ports/bus/memory.ts';
import { type FakeClock, fakeClock } from '@hearth/testing/fake-clock';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import {
  askHistory,
  readContents,
  readHistory,
  readThrough,
} from '@hearth/testing/clients/history-client';
import { countedIds } from '@hearth/testing/ports/id-source';
import { BEHIND_PROXY, LimitedClient, limitHeaders } from '@hearth/testing/clients/limited-client';
import { eventOf, postMessage } from '@hearth/testing/clients/post-message';
import { readError, readValidationError } from '@hearth/testing/clients/read-error';
import { tempFolder } from '@hearth/testing/temp-folder';
import { openTestContext } from '@hearth/testing/instances/test-context';
import {
  deployment,
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';

const LARGEST_ID = '340282366920938463463374607431768211455';
const KEEPING = (history: string) => `[oprish]\nhistory = ${history}\n${GENEROUS_LIMITS}`;

function post(instance: TestInstance, body: string): Promise<Response> {
  return fetch(`${instance.addresses.rest}/messages`, { method: 'POST', body });
}

const contentOf = (event: string) => messageCreateSchema.parse(JSON.parse(event)).d.content;

const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `message ${from + index}`);

async function postAll(instance: TestInstance, contents: readonly string[]): Promise<void> {
  for (const content of contents) await postMessage(instance, content);
}

describe('the history', () => {
  test('[LB1] the history is an empty array before the first message, and then an array of messages', async () => {
    const clock = fakeClock();
    await using instance = await startTestInstance({ clock });
    const empty = await askHistory(instance);
    expect([empty.status, await empty.text()]).toEqual([200, '[]']);

    await postMessage(instance, 'good evening', 'ada');
    const createdAt = clock.unixMs();
    clock.advance(1_500);
    await postMessage(instance, 'bye', 'bob');
    const [second, first] = await readHistory(instance);
    const parts = idParts(first?.id ?? ('0' as Id));
    expect(await (await askHistory(instance)).text()).toBe(
      `[{"id":"${second?.id}","author":"bob","content":"bye","created_at":${clock.unixMs()}},` +
        `{"id":"${first?.id}","author":"ada","content":"good evening","created_at":${createdAt}}]`,
    );
    expect(parts.seconds).toBe(Math.floor(createdAt / 1_000) - 1_650_000_000);
  });

  test('[LB1][LB5] the history has the order in which messages were dispatched, however many are posted at once', async () => {
    await using instance = await startTestInstance();
    const client = await GatewayClient.connect(instance.addresses.gateway);
    await Promise.all(numbered(200).map((content) => postMessage(instance, content)));
    await client.until(() => client.received.length === 200);
    const kept = await readThrough(instance, 'newest');
    expect(kept.map(({ content }) => content)).toEqual(client.received.map(contentOf));
    const ids = kept.map(({ id }) => BigInt(id));
    expect(ids.every((id, index) => id > (ids[index - 1] ?? -1n))).toBe(true);
    client.close();
  });

  test('[LB5] the history has a message as soon as its post is answered, for every client', async () => {
    await using instance = await startTestInstance();
    const answered: string[] = [];
    const talk = async (who: number) => {
      for (let index = 0; index < 20; index += 1) {
        const content = `${who} says ${index}`;
        await postMessage(instance, content);
        answered.push(content);
        const known = [...answered];
        const kept = await readContents(instance, '?limit=100');
        expect(kept).toContain(content);
        const newest = kept.length < 100 ? known : known.slice(-50);
        expect(newest.filter((one) => !kept.includes(one))).toEqual([]);
        expect(new Set(kept).size).toBe(kept.length);
      }
    };
    await Promise.all([1, 2, 3, 4].map(talk));
    expect(await readContents(instance, '?limit=100')).toHaveLength(80);
  });

  const texts: readonly [what: string, json: string, content: string][] = [
    ['NUL', String.raw`"a\u0000b"`, 'a\0b'],
    ['an emoji of several', '"👩‍👩‍👧"', '👩‍👩‍👧'],
    ['an emoji in escapes', String.raw`"\ud83d\ude00"`, '😀'],
    ['what looks like half a pair', String.raw`"\\ud83d"`, String.raw`\ud83d`],
    ['what looks like an escape', String.raw`"\\n\\u0000"`, String.raw`\n\u0000`],
    ['quotes and lines', String.raw`"\"',\n\r\t\u2028\u2029"`, '"\',\n\r\t\u2028\u2029'],
    ['JSON', String.raw`"null],{\"id\":1}"`, 'null],{"id":1}'],
    ['the last characters', String.raw`"\uffff\udbff\udfff\ufeff"`, '\uffff\u{10ffff}\ufeff'],
    ['SQL', `"'); drop table message_groups; --"`, "'); drop table message_groups; --"],
  ];

  test('[LB1][LB10] texts are returned as they were posted, from memory and from the disk', async () => {
    await using folder = await tempFolder();
    const author = 'ada\0👩‍👩‍👧';
    const posted = texts.map(([, , content]) => ({ author, content })).toReversed();
    {
      await using instance = await startTestInstance({ folder: folder.path });
      for (const [what, json] of texts) {
        const body = `{"author":${JSON.stringify(author)},"content":${json}}`;
        expect([what, (await post(instance, body)).status]).toEqual([what, 200]);
      }
      expect(await readHistory(instance)).toMatchObject(posted);
    }
    await using instance = await startTestInstance({ folder: folder.path });
    expect(await readHistory(instance)).toMatchObject(posted);
  });
});

describe('a place in the history', () => {
  let instance: TestInstance;
  let ids: readonly Id[];

  beforeAll(async () => {
    instance = await startTestInstance();
    await postAll(instance, numbered(120));
    ids = (await readThrough(instance, 'newest')).map(({ id }) => id);
  });

  afterAll(() => instance[Symbol.asyncDispose]());

  const numbers = async (query: string) =>
    (await readContents(instance, query)).map((content) => Number(content.split(' ')[1]));
  const down = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, index) => from - index);

  test('[LB2] 50 messages are returned unless another limit is given', async () => {
    expect(await numbers('')).toEqual(down(119, 70));
    expect(await numbers('?limit=1')).toEqual([119]);
    expect(await numbers('?limit=100')).toEqual(down(119, 20));
  });

  test('[LB3] before and after bound the range, and decide which of its messages count', async () => {
    expect(await numbers(`?before=${ids[100]}&limit=3`)).toEqual([99, 98, 97]);
    expect(await numbers(`?after=${ids[100]}&limit=3`)).toEqual([103, 102, 101]);
    expect(await numbers(`?after=${ids[10]}`)).toEqual(down(60, 11));
    expect(await numbers(`?after=${ids[10]}&before=${ids[100]}&limit=3`)).toEqual([99, 98, 97]);
    expect(await numbers(`?after=${ids[10]}&before=${ids[13]}&limit=3`)).toEqual([12, 11]);
    expect(await numbers(`?after=${ids[117]}&limit=100`)).toEqual([119, 118]);
    expect(await numbers(`?before=${ids[2]}&limit=100`)).toEqual([1, 0]);
    const nothing = [`after=${ids[119]}`, `before=${ids[0]}`, `after=${ids[5]}&before=${ids[6]}`];
    for (const query of [...nothing, `after=${ids[6]}&before=${ids[5]}`]) {
      expect([query, await numbers(`?${query}`)]).toEqual([query, []]);
    }
  });

  test('[LB4] an id that belongs to no message marks its place in the order', async () => {
    expect(await numbers(`?after=0&limit=2`)).toEqual([1, 0]);
    expect(await numbers(`?before=${LARGEST_ID}&limit=2`)).toEqual([119, 118]);
    expect(await numbers(`?before=0`)).toEqual([]);
    expect(await numbers(`?after=${LARGEST_ID}`)).toEqual([]);
    const parts = idParts(ids[60] ?? ('0' as Id));
    const ofNext = ids.filter((id) => idParts(id).seconds > parts.seconds);
    const elsewhere = formatId({ ...parts, instanceId: 2 ** 48 - 1, sequence: 0 });
    expect(await numbers(`?before=${elsewhere}&limit=1`)).toEqual([119 - ofNext.length]);
  });

  test('[LB25] around has the closest messages of both sides, and fills up if one side is short', async () => {
    expect(await numbers(`?around=${ids[60]}&limit=5`)).toEqual(down(62, 58));
    expect(await numbers(`?around=${ids[60]}&limit=4`)).toEqual(down(62, 59));
    expect(await numbers(`?around=${ids[60]}&limit=1`)).toEqual([60]);
    expect(await numbers(`?around=${ids[60]}`)).toEqual(down(85, 36));
    expect(await numbers(`?around=${ids[118]}&limit=5`)).toEqual(down(119, 115));
    expect(await numbers(`?around=${ids[1]}&limit=5`)).toEqual(down(4, 0));
    expect(await numbers(`?around=0&limit=3`)).toEqual([2, 1, 0]);
    expect(await numbers(`?around=${LARGEST_ID}&limit=3`)).toEqual([119, 118, 117]);
  });

  test('[LB25] the id of a moment has the messages of that moment around it', async () => {
    const { created_at: postedAtMs } = (await readHistory(instance, '?limit=1'))[0] ?? {};
    const newest = firstIdAt((postedAtMs ?? 0) + 2_000);
    expect(await numbers(`?around=${newest}&limit=3`)).toEqual([119, 118, 117]);
    const oldest = firstIdAt((postedAtMs ?? 0) - 60_000);
    expect(await numbers(`?around=${oldest}&limit=3`)).toEqual([2, 1, 0]);
  });

  test.each(['newest', 'oldest'] as const)(
    '[LB3][LB5] every message appears once when a client pages through all of them from the %s',
    async (from) => {
      for (const limit of [7, 60, 100]) {
        const found = await readThrough(instance, from, limit);
        expect(found.map(({ content }) => content)).toEqual(numbered(120));
      }
    },
  );

  test.each([
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=', 'limit'],
    ['?limit=5x', 'limit'],
    ['?before=abc', 'before'],
    ['?before=', 'before'],
    ['?after=-1', 'after'],
    [`?after=${LARGEST_ID}0`, 'after'],
    ['?around=abc', 'around'],
    ['?around=', 'around'],
    ['?limit=x&limit=5', 'limit'],
  ])('[LB7] %s is a ValidationError that names %s', async (query, field) => {
    const answer = await askHistory(instance, query);
    expect((await readValidationError(answer)).field).toBe(field);
    expect((await askHistory(instance, query, { method: 'HEAD' })).status).toBe(422);
  });

  test.each(['before', 'after', 'before=1&after'])(
    '[LB25] around and %s are a ValidationError that names around',
    async (others) => {
      const answer = await askHistory(instance, `?around=${ids[60]}&${others}=5`);
      expect((await readValidationError(answer)).field).toBe('around');
    },
  );

  test('[LB7] other parameters are ignored, and the first of two values counts', async () => {
    expect(await numbers('?limit=2&about=x&id=&limit=x&%00=%')).toEqual([119, 118]);
  });

  test('[LB1][LB2] HEAD is answered like GET, without the messages', async () => {
    const get = await askHistory(instance, '?limit=3');
    const head = await askHistory(instance, '?limit=3', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String((await get.bytes()).length));
    expect(head.headers.get('content-type')).toBe('application/json');
  });
});

describe('[LB6] an instance', () => {
  test('that keeps three messages returns the newest three, also after a restart', async () => {
    await using folder = await tempFolder();
    const options = { folder: folder.path, toml: KEEPING('{ messages = 3 }') };
    {
      await using instance = await startTestInstance(options);
      await postAll(instance, numbered(5));
      expect(await readContents(instance)).toEqual(numbered(3, 2).toReversed());
      const [, second] = await readHistory(instance);
      expect(await readContents(instance, `?before=${second?.id}`)).toEqual(['message 2']);
      expect(await readContents(instance, '?after=0')).toHaveLength(3);
    }
    await using instance = await startTestInstance(options);
    expect(await readContents(instance)).toEqual(numbered(3, 2).toReversed());
    await postMessage(instance, 'one more');
    expect(await readContents(instance)).toEqual(['one more', 'message 4', 'message 3']);
  });

  test('a message is kept for the configured number of days', async () => {
    const clock = fakeClock();
    await using instance = await startTestInstance({ clock, toml: KEEPING('{ days = 2 }') });
    await postMessage(instance, 'old');
    clock.halt(2 * 86_400_000);
    await postMessage(instance, 'new');
    expect(await readContents(instance)).toEqual(['new', 'old']);
    clock.halt(1);
    expect(await readContents(instance)).toEqual(['new']);
  });

  test('that keeps none dispatches messages and returns an empty array', async () => {
    await using instance = await startTestInstance({ toml: KEEPING('{ messages = 0 }') });
    const client = await GatewayClient.connect(instance.addresses.gateway);
    await postMessage(instance, 'hello');
    await client.until(() => client.received.length > 0);
    expect(await readContents(instance)).toEqual([]);
    client.close();
  });
});

describe('[LB8] the limit message_list', () => {
  let clock: FakeClock;
  let instance: TestInstance;

  beforeAll(async () => {
    clock = fakeClock();
    instance = await startTestInstance({ clock, toml: '', env: BEHIND_PROXY });
  });

  afterAll(() => instance[Symbol.asyncDispose]());

  const url = (query = '') => `${instance.addresses.rest}/messages${query}`;

  test('the limit lets 20 requests in 5 s through, whatever their answers, and no more', async () => {
    const client = new LimitedClient();
    const methods = ['GET', 'HEAD', 'GET', 'GET'];
    for (let requestCount = 1; requestCount <= 20; requestCount += 1) {
      const isWrong = requestCount % 4 === 0;
      const method = methods[requestCount % methods.length] ?? 'GET';
      const answer = await client.request(method, url(isWrong ? '?limit=x' : ''));
      expect(answer.status).toBe(isWrong ? 422 : 200);
      const lastReset = clock.unixMs();
      expect(limitHeaders(answer)).toEqual({ reset: 5_000, max: 20, lastReset, requestCount });
    }
    clock.advance(1_000);
    const refused = await client.get(url());
    expect(limitHeaders(refused)).toMatchObject({ max: 20, requestCount: 20 });
    expect(await readError(refused)).toMatchObject({ status: 429, data: { retry_after: 4_000 } });
    expect((await client.request('HEAD', url())).status).toBe(429);
    clock.advance(4_000);
    expect((await client.get(url())).status).toBe(200);
  });

  test('the limit is separate from that of posting', async () => {
    const client = new LimitedClient();
    await client.get(url());
    const posted = await client.request('POST', url(), '{"author":"ada","content":"x"}');
    expect(limitHeaders(posted)).toMatchObject({ max: 10, requestCount: 1 });
    expect(limitHeaders(await client.get(url()))).toMatchObject({ max: 20, requestCount: 2 });
  });

  test('the limit is listed among the others, as it is configured', async () => {
    const limitsOf = async ({ addresses }: TestInstance) =>
      instanceRateLimitsSchema.parse(await (await fetch(`${addresses.rest}/rate_limits`)).json());
    const usual = (await limitsOf(instance)).oprish.message_list;
    expect(usual).toEqual({ reset_after: 5, limit: 20 });
    const toml = '[oprish.rate_limits]\nmessage_list = { reset_after = 7, limit = 1 }\n';
    await using own = await startTestInstance({ toml });
    expect((await limitsOf(own)).oprish.message_list).toEqual({ reset_after: 7, limit: 1 });
    expect((await askHistory(own)).status).toBe(200);
    expect((await askHistory(own)).status).toBe(429);
  });
});

describe('[LB9] a nonce', () => {
  let instance: TestInstance;
  let client: GatewayClient;

  beforeAll(async () => {
    instance = await startTestInstance();
    client = await GatewayClient.connect(instance.addresses.gateway);
  });

  beforeEach(() => client.received.splice(0));

  afterAll(async () => {
    client.close();
    await instance[Symbol.asyncDispose]();
  });

  test.each([
    ['', '""'],
    ['of one character', '"x"'],
    ['of 64 characters', JSON.stringify('x'.repeat(64))],
    ['of 64 emoji', JSON.stringify('😀'.repeat(64))],
    ['with NUL', String.raw`"\u0000"`],
  ])(
    '%s is taken, and is neither in the reply, nor in the event, nor in the history',
    async (_what, nonce) => {
      const answer = await post(instance, `{"nonce":${nonce},"author":"ada","content":"x"}`);
      expect([answer.status, await answer.text()]).toEqual([200, '{"author":"ada","content":"x"}']);
      await client.until(() => client.received.length > 0);
      expect(client.received).toEqual([eventOf('x', 'ada')]);
      expect(client.received[0]).toBe('{"op":"MESSAGE_CREATE","d":{"author":"ada","content":"x"}}');
      const [newest] = await readHistory(instance, '?limit=1');
      expect(Object.keys(newest ?? {})).toEqual(['id', 'author', 'content', 'created_at']);
    },
  );

  test.each([
    ['of 65 characters', JSON.stringify('x'.repeat(65))],
    ['of 65 emoji', JSON.stringify('😀'.repeat(65))],
    ['with half a pair', String.raw`"\ud83d"`],
    ['that is a number', '1'],
    ['that is null', 'null'],
    ['that is a list', '["x"]'],
    ['that is an object', '{}'],
    ['that is true', 'true'],
  ])('%s is refused, and nothing is dispatched', async (_what, nonce) => {
    const before = await readHistory(instance);
    const answer = await post(instance, `{"nonce":${nonce},"author":"ada","content":"x"}`);
    expect((await readValidationError(answer)).field).toBe('nonce');
    await client.ping();
    expect(client.received).toEqual(['{"op":"PONG"}']);
    expect(await readHistory(instance)).toEqual(before);
  });

  test('a nonce of maximum length fits beside the longest message, even if every character is escaped', async () => {
    const emoji = String.raw`\ud83d\ude00`;
    const texts = { nonce: 64, author: 32, content: 2048 };
    const fields = Object.entries(texts).map(([name, size]) => `"${name}":"${emoji.repeat(size)}"`);
    expect((await post(instance, `{${fields.join(',')}}`)).status).toBe(200);
  });
});

describe('[LB10] a clean stop', () => {
  test('a clean stop loses no message, and the next start continues after them', async () => {
    await using folder = await tempFolder();
    const all: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      await using instance = await startTestInstance({ folder: folder.path });
      const before = await readThrough(instance, 'oldest');
      expect(before.map(({ content }) => content)).toEqual(all);
      const contents = numbered(70, all.length);
      await postAll(instance, contents);
      all.push(...contents);
      const after = await readThrough(instance, 'oldest');
      expect(after.slice(0, before.length)).toEqual(before);
      expect(after.map(({ content }) => content)).toEqual(all);
      const ids = after.map(({ id }) => BigInt(id));
      expect(ids.every((id, index) => id > (ids[index - 1] ?? -1n))).toBe(true);
    }
  });
});

test('[LB10][LB11] if the disk is full, messages are dispatched and answered, and they are written when there is room again', async () => {
  await using folder = await tempFolder();
  await writeFile(join(folder.path, 'instance.toml'), named(GENEROUS_LIMITS));
  const env = await deployment();
  const { config } = await loadConfig({ env, workingDir: folder.path, writeMissingFile: false });
  await using owner = await openTestContext({ folder: folder.path });
  const { database, clock, log, settings } = owner;
  await using history = await openHistory({
    database,
    clock,
    log,
    bounds: settings.rest.history,
  });
  const keep = ({ d }: BusEvent) => {
    const message = lobbyMessageOf(d);
    if (message !== undefined) history.append(message);
  };
  await using bus = memoryBus({ ids: countedIds(), journaled: LOBBY_STREAM, keep });
  await using _doors = await startComponents({ ...owner, history, bus }, config);
  const [rest, gateway, files] = ['OPRISH_PORT', 'PANDEMONIUM_PORT', 'EFFIS_PORT'].map(
    (name) => `127.0.0.1:${env[name]}`,
  );
  const instance = {
    addresses: { rest: `http://${rest}`, gateway: `ws://${gateway}`, files: `http://${files}` },
  };
  const client = await GatewayClient.connect(instance.addresses.gateway);
  await using onDisk = await openTestContext({ folder: folder.path });
  // Of the connection that writes the history; other engines do not have this.
  const allowPages = (most: number) =>
    owner.database.transaction((tx) =>
      tx.run({ text: `pragma max_page_count = ${most}`, values: [] }),
    );
  const all = { after: undefined, before: undefined, limit: 1_000 };

  // A limit below the present size means the present size.
  await allowPages(1);
  const contents = numbered(100).map((content) => content.padEnd(2_000, '.'));
  for (const content of contents) await postMessage(instance, content);
  await expect(history.flush()).rejects.toThrow('full');
  await client.until(() => client.received.length === 100);
  expect(client.received.map(contentOf)).toEqual(contents);
  const kept = await readThrough(instance, 'newest');
  expect(kept.map(({ content }) => content)).toEqual(contents);
  expect((await onDisk.history.list(all)).length).toBeLessThan(100);

  await allowPages(1_000_000);
  await until(async () => (await onDisk.history.list(all)).length === 100);
  expect((await onDisk.history.list(all)).toReversed()).toEqual(kept);
  client.close();
});
