import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import {
  connect,
  createClient,
  firstIdAt,
  NetworkError,
  parseId,
  type Client,
} from '../src/index.ts';

let instance: TestInstance;
let client: Client;

beforeAll(async () => {
  instance = await startTestInstance();
  client = await connect(instance.addresses.rest);
});

afterAll(async () => {
  await client.close();
  await instance[Symbol.asyncDispose]();
});

describe('connecting', () => {
  test('a client learns what the instance is and where its services are', () => {
    const { rest, gateway, files } = instance.addresses;
    expect(client.info).toMatchObject({
      instance_name: 'Hearth',
      oprish_url: rest,
      pandemonium_url: gateway,
      effis_url: files,
    });
    expect(client.isHearth).toBe(true);
    expect(client.connection).toEqual({ state: 'idle' });
  });

  test.each([
    ['a URL object', (url: string) => new URL(url)],
    ['a slash at the end', (url: string) => `${url}/`],
    ['several slashes, a query and a fragment', (url: string) => `${url}///?a=b#c`],
    ['a bare host and port', (url: string) => url.replace('http://', '')],
    ['white space around it', (url: string) => ` ${url}\n`],
  ])('an address with %s is accepted', async (_what, spelled) => {
    await using other = await connect(spelled(instance.addresses.rest));
    expect(other.info).toEqual(client.info);
  });

  test('a client asks for JSON, which gets the instance and not its web client', async () => {
    const asked: unknown[] = [];
    const fetch = async (url: string, init?: RequestInit) => {
      asked.push([url, new Headers(init?.headers).get('Accept')]);
      return globalThis.fetch(url, init);
    };
    await using other = await connect(instance.addresses.rest, { fetch });
    const { oprish_url: rest } = other.info;
    expect(asked).toEqual([
      [`${rest}/`, 'application/json'],
      [`${rest}/capabilities`, 'application/json'],
    ]);
  });

  test.each(['ws://localhost:7160', 'ftp://localhost', 'http://', ''])(
    '%j is refused with a TypeError',
    async (url) => {
      expect(await connect(url).catch((error) => error)).toBeInstanceOf(TypeError);
    },
  );

  test('no request is made if the instance is already known', async () => {
    const fetch = () => Promise.reject(new Error('no request may be made'));
    await using known = await connect('http://elsewhere.test', { info: client.info, fetch });
    expect(known.info).toBe(client.info);
    await using made = createClient(client.info, { fetch });
    expect(made.isHearth).toBe(true);
  });
});

test('the limits are available under every spelling', async () => {
  const { oprish, effis } = await client.rest.rateLimits();
  expect(oprish['rate limits']).toEqual({ reset_after: 5, limit: 100_000 });
  expect(oprish.rate_limits).toEqual(oprish['rate limits']);
  expect(effis.attachments.file_size_limit).toBe(100_000_000_000);
});

test("the instance's description can be fetched again", async () => {
  expect(await client.rest.info()).toEqual(client.info);
});

describe('messages', () => {
  test('messages are posted, and come back as they were', async () => {
    const message = { author: 'ada', content: 'Grüße, 世界 👋' };
    expect(await client.send(message)).toEqual(message);
    expect(await client.send({ ...message, nonce: 'n-1' })).toEqual(message);
  });

  test('that are posted at once arrive in order', async () => {
    const contents = Array.from({ length: 20 }, (_, index) => `no. ${index}`);
    await Promise.all(contents.map((content) => client.send({ author: 'ada', content })));
    const listed = await client.rest.listMessages({ limit: 20 });
    expect(listed.map(({ content }) => content).toReversed()).toEqual(contents);
  });

  test('that are posted at once go one after the other, and each state of their limit is reported once', async () => {
    let underWay = 0;
    const fetch = async (url: string, init?: RequestInit) => {
      underWay += 1;
      expect(underWay).toBe(1);
      const answer = await globalThis.fetch(url, init);
      underWay -= 1;
      return answer;
    };
    await using other = createClient(client.info, { fetch });
    const reported: unknown[] = [];
    other.on('limit', ({ bucket, state }) => reported.push([bucket, JSON.stringify(state)]));
    await Promise.all([1, 2, 3].map((n) => other.send({ author: 'ada', content: `${n}` })));
    expect(reported.length).toBeGreaterThan(3);
    for (const [index, each] of reported.entries()) expect(each).not.toEqual(reported[index - 1]);
  });

  test('messages are listed before and after an id', async () => {
    for (const content of ['one', 'two', 'three']) await client.send({ author: 'ada', content });
    const [three, two, one] = await client.rest.listMessages({ limit: 3 });
    expect([one, two, three].map((message) => message?.content)).toEqual(['one', 'two', 'three']);
    if (one === undefined || two === undefined || three === undefined) throw new Error('three');
    expect(await client.rest.listMessages({ after: one.id })).toEqual([three, two]);
    expect((await client.rest.listMessages({ before: two.id, limit: 1 }))[0]).toEqual(one);
    const between = await client.rest.listMessages({ after: one.id, before: three.id });
    expect(between).toEqual([two]);
    expect(parseId(one.id)).toBe(one.id);
  });

  test('[LB25] messages are listed around an id, and around a moment', async () => {
    for (const content of ['four', 'five', 'six']) await client.send({ author: 'ada', content });
    const [six, five, four] = await client.rest.listMessages({ limit: 3 });
    if (four === undefined || five === undefined || six === undefined) throw new Error('three');
    expect(await client.rest.listMessages({ around: five.id, limit: 3 })).toEqual([
      six,
      five,
      four,
    ]);
    const later = firstIdAt(six.created_at + 2_000);
    expect(await client.rest.listMessages({ around: later, limit: 1 })).toEqual([six]);
  });
});

describe('[SE1] a search', () => {
  test('a search finds messages page by page, and says where the next one begins', async () => {
    for (const content of ['a needle', 'hay', 'Needle!'])
      await client.send({ author: 'ada', content });
    await until(async () => (await client.search({ text: 'need' })).messages.length === 2);
    const first = await client.search({ text: 'need', in: 'lobby', limit: 1 });
    expect(first.messages.map(({ content }) => content)).toEqual(['Needle!']);
    const second = await client.search({ text: 'need', before: first.next, from: 'Ada' });
    expect(second.messages.map(({ content }) => content)).toEqual(['a needle']);
    expect(second.next).toBeUndefined();
    const after = await client.search({ text: 'need', after: second.messages[0]?.id });
    expect(after.messages).toEqual(first.messages);
  });

  test('a search continues where the instance stopped', async () => {
    const fetch = async () =>
      Response.json([], { headers: { 'X-Search-Stopped-At': '2680231098724220450352726016' } });
    const { capabilities } = client;
    await using other = createClient(client.info, { fetch, capabilities });
    expect(await other.search({ has: 'picture' })).toEqual({
      messages: [],
      next: parseId('2680231098724220450352726016'),
    });
  });
});

test('a service under a path is reached there', async () => {
  const asked: string[] = [];
  const fetch = (url: string, init?: RequestInit) => {
    asked.push(`${init?.method ?? 'GET'} ${url}`);
    return Promise.reject(new Error('far away'));
  };
  const oprish_url = 'https://chat.test/api/';
  const effis_url = 'https://chat.test/files//';
  const { capabilities } = client;
  const info = { ...client.info, oprish_url, effis_url };
  await using away = createClient(info, { fetch, capabilities });
  const results = await Promise.allSettled([
    away.rest.info(),
    away.rest.rateLimits(),
    away.send({ author: 'ada', content: 'x' }),
    away.rest.listMessages({ limit: 2 }),
    away.files.data('1', { bucket: 'others' }),
    away.files.fetchStatic('a b/ü.txt'),
    away.files.upload(new Blob(['x'])),
  ]);
  for (const result of results) {
    expect(result.status === 'rejected' && result.reason).toBeInstanceOf(NetworkError);
  }
  expect(asked.toSorted()).toEqual(
    [
      'GET https://chat.test/api/',
      'GET https://chat.test/api/rate_limits',
      'POST https://chat.test/api/messages',
      'GET https://chat.test/api/messages?limit=2',
      'GET https://chat.test/files/others/1/data',
      'GET https://chat.test/files/static/a%20b%2F%C3%BC.txt/download',
      'POST https://chat.test/files/attachments',
    ].toSorted(),
  );
});
