import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type FakeClock, fakeClock } from '@hearth/testing/fake-clock';
import { BEHIND_PROXY, LimitedClient, limitHeaders } from '@hearth/testing/clients/limited-client';
import { readError } from '@hearth/testing/clients/read-error';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';

const TOML = `
[oprish.rate_limits]
info = { reset_after = 5, limit = 3 }
message_create = { reset_after = 7, limit = 4 }
message_list = { reset_after = 8, limit = 3 }
rate_limits = { reset_after = 60, limit = 2 }
[effis.rate_limits]
attachments = { reset_after = 30, limit = 2, file_size_limit = 1000 }
fetch_file = { reset_after = 20, limit = 3 }
`;

const INFO_MS = 5_000;
const MESSAGE = JSON.stringify({ author: 'someone', content: 'hello' });

let clock: FakeClock;
let instance: TestInstance;
let rest: string;
let files: string;

beforeAll(async () => {
  clock = fakeClock();
  instance = await startTestInstance({ toml: TOML, clock, env: BEHIND_PROXY });
  ({ rest, files } = instance.addresses);
});

afterAll(() => instance[Symbol.asyncDispose]());

async function statuses(answers: readonly Promise<Response>[]): Promise<number[]> {
  return (await Promise.all(answers)).map(({ status }) => status);
}

async function countAt(client: LimitedClient, url: string): Promise<number | undefined> {
  return limitHeaders(await client.get(url)).requestCount;
}

type Route = readonly [method: string, url: () => string, body?: string];

const info: Route = ['GET', () => `${rest}/`];
const limits: Route = ['GET', () => `${rest}/rate_limits`];
const posting: Route = ['POST', () => `${rest}/messages`, MESSAGE];
const listing: Route = ['GET', () => `${rest}/messages?limit=1`];
const fetching: Route = ['GET', () => `${files}/1`];

const send = (client: LimitedClient, [method, url, body]: Route) =>
  client.request(method, url(), body);

describe('a limit', () => {
  test.each<[what: string, limit: number, route: Route]>([
    ['info', 3, info],
    ['message_create', 4, posting],
    ['message_list', 3, listing],
    ['rate_limits', 2, limits],
    ['fetch_file', 3, fetching],
  ])(
    '[LI1][LI12][LB8] a limit of %s lets %d requests through and refuses the next with a RateLimitedError',
    async (_what, limit, route) => {
      const client = new LimitedClient();
      for (let count = 1; count <= limit; count += 1) {
        const answer = await send(client, route);
        expect([answer.status === 429, limitHeaders(answer).requestCount]).toEqual([false, count]);
      }
      for (let more = 0; more < 3; more += 1) {
        const answer = await send(client, route);
        expect(limitHeaders(answer).requestCount).toBe(limit);
        const { status, data } = await readError(answer);
        expect([status, Object.keys(data ?? {})]).toEqual([429, ['retry_after']]);
      }
    },
  );

  test('[LI1] that is used up leaves the others free, and other clients too', async () => {
    const client = new LimitedClient();
    for (let i = 0; i < 4; i += 1) await send(client, info);
    const others = [posting, listing, limits, fetching].map((route) => send(client, route));
    expect(await statuses([send(client, info), ...others])).toEqual([429, 200, 200, 200, 404]);
    expect((await send(new LimitedClient(), info)).status).toBe(200);
  });

  test('[LI1] a limit is shared by a route and its alias', async () => {
    const client = new LimitedClient();
    expect(await countAt(client, `${rest}/rate_limits`)).toBe(1);
    expect(await countAt(client, `${rest}//ratelimits/`)).toBe(2);
    expect((await client.get(`${rest}/rate_limits`)).status).toBe(429);
  });

  test('[LI3][LI12] a limit lets exactly its number of 100 requests at once through', async () => {
    const client = new LimitedClient();
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(client, posting)));
    const passed = answers.filter(({ status }) => status === 200);
    expect(passed.map((answer) => limitHeaders(answer).requestCount).toSorted()).toEqual([
      1, 2, 3, 4,
    ]);
    const refused = answers.filter(({ status }) => status === 429);
    expect([
      refused.length,
      new Set(answers.map((answer) => limitHeaders(answer).lastReset)).size,
    ]).toEqual([96, 1]);
  });
});

describe('the headers', () => {
  test.each<[method: string, path: string, resetMs: number, max: number]>([
    ['GET', '/', 5_000, 3],
    ['HEAD', '/', 5_000, 3],
    ['GET', '/rate_limits', 60_000, 2],
    ['HEAD', '/rate_limits', 60_000, 2],
    ['GET', '/ratelimits', 60_000, 2],
    ['POST', '/messages', 7_000, 4],
    ['GET', '/messages', 8_000, 3],
    ['HEAD', '/messages?limit=1', 8_000, 3],
  ])(
    '[LI9][LI10][LI11][LB8] the headers of %s %s are all there, the byte pair is not',
    async (method, path, reset, max) => {
      const body = method === 'POST' ? MESSAGE : undefined;
      const answer = await new LimitedClient().request(method, rest + path, body);
      expect(answer.status).toBe(200);
      expect(limitHeaders(answer)).toEqual({
        reset,
        max,
        lastReset: clock.unixMs(),
        requestCount: 1,
      });
    },
  );

  test.each<[method: string, path: string]>([
    ['GET', '/1'],
    ['HEAD', '/attachments/1'],
    ['GET', '/1/data'],
    ['GET', '/attachments/1/download'],
    ['GET', '/static/missing.txt'],
    ['GET', '/a/b/c/d'],
  ])(
    '[LI9][LI10] the headers of a missing file at %s %s are all there, the byte pair is not',
    async (method, path) => {
      const answer = await new LimitedClient().request(method, files + path);
      expect(answer.status).toBe(404);
      expect(limitHeaders(answer)).toEqual({
        reset: 20_000,
        max: 3,
        lastReset: clock.unixMs(),
        requestCount: 1,
      });
    },
  );

  test('[LI9] the headers are also on a ValidationError and on a RateLimitedError', async () => {
    const client = new LimitedClient();
    const lastReset = clock.unixMs();
    for (const requestCount of [1, 2, 3, 4, 4]) {
      const answer = await client.request('POST', `${rest}/messages`, 'no JSON');
      expect(limitHeaders(answer)).toEqual({ reset: 7_000, max: 4, lastReset, requestCount });
    }
    for (const requestCount of [1, 2, 3, 3]) {
      const answer = await client.get(`${rest}/messages?limit=0`);
      expect(answer.status).not.toBe(200);
      expect(limitHeaders(answer)).toEqual({ reset: 8_000, max: 3, lastReset, requestCount });
    }
  });

  test('[LI9] the headers are not on answers of routes without a limit', async () => {
    const client = new LimitedClient();
    expect(limitHeaders(await client.get(`${rest}/nowhere`))).toEqual({});
    expect(limitHeaders(await client.request('OPTIONS', `${rest}/`))).toEqual({});
  });
});

describe('a time frame', () => {
  test('[LI2][LI11] a time frame begins with the first request of a client and stays the same throughout', async () => {
    clock.advance(1_700);
    const client = new LimitedClient();
    const startedAtMs = clock.unixMs();
    const lastReset = async () => limitHeaders(await send(client, info)).lastReset;
    expect(await lastReset()).toBe(startedAtMs);
    clock.advance(INFO_MS - 1);
    expect([await lastReset(), await lastReset()]).toEqual([startedAtMs, startedAtMs]);
    clock.advance(1);
    expect(await lastReset()).toBe(startedAtMs + INFO_MS);
  });

  test('[LI2] a time frame does not begin before it is needed: idle time does not count', async () => {
    const client = new LimitedClient();
    await send(client, info);
    clock.advance(INFO_MS + 3_333);
    const { lastReset, requestCount } = limitHeaders(await send(client, info));
    expect([lastReset, requestCount]).toEqual([clock.unixMs(), 1]);
  });

  test('[LI14] a client that has waited for retry_after is let through, and not a moment earlier', async () => {
    const client = new LimitedClient();
    for (let i = 0; i < 3; i += 1) await send(client, info);
    clock.advance(1_234);
    const { data } = await readError(await send(client, info));
    expect(data).toEqual({ retry_after: INFO_MS - 1_234 });
    clock.advance(INFO_MS - 1_234 - 1);
    expect((await readError(await send(client, info))).data).toEqual({ retry_after: 1 });
    clock.advance(1);
    expect((await send(client, info)).status).toBe(200);
  });

  test('[LI14] a time frame is over at the last reset plus the reset interval', async () => {
    const client = new LimitedClient();
    const { lastReset = 0, reset = 0 } = limitHeaders(await send(client, posting));
    for (let i = 0; i < 4; i += 1) await send(client, posting);
    clock.advance(lastReset + reset - clock.unixMs());
    const answers = Array.from({ length: 5 }, () => send(client, posting));
    expect((await statuses(answers)).toSorted()).toEqual([200, 200, 200, 200, 429]);
  });

  test('[LI14] a time frame is the longest time that a client is asked to wait', async () => {
    const client = new LimitedClient();
    for (let i = 0; i < 3; i += 1) await send(client, info);
    expect((await readError(await send(client, info))).data).toEqual({ retry_after: INFO_MS });
  });
});

describe('a request', () => {
  test('[LI4] a request counts if its body is invalid, too large or missing', async () => {
    const client = new LimitedClient();
    const bodies = ['{}', '', `{"author":"someone","content":"${'x'.repeat(200_000)}"}`];
    for (const body of bodies) {
      expect((await client.request('POST', `${rest}/messages`, body)).status).toBe(422);
    }
    expect(limitHeaders(await send(client, posting)).requestCount).toBe(4);
    expect((await send(client, posting)).status).toBe(429);
  });

  test('[LI4] a request counts if what it requests does not exist', async () => {
    const client = new LimitedClient();
    const answers: number[] = [];
    for (let i = 0; i < 4; i += 1) answers.push((await client.get(`${files}/${i}`)).status);
    expect(answers).toEqual([404, 404, 404, 429]);
  });

  test('[LI4] counts with HEAD as with GET', async () => {
    const client = new LimitedClient();
    const counts: unknown[] = [];
    for (const method of ['HEAD', 'GET', 'HEAD', 'HEAD']) {
      const answer = await client.request(method, `${rest}/`);
      counts.push([answer.status, limitHeaders(answer).requestCount]);
    }
    expect(counts).toEqual([
      [200, 1],
      [200, 2],
      [200, 3],
      [429, 3],
    ]);
  });

  test('[LI4] a request does not count if it is a preflight, and a preflight is never refused', async () => {
    const client = new LimitedClient();
    for (const url of [`${rest}/`, `${rest}/messages`, `${files}/`, `${files}/1`]) {
      const preflights = Array.from({ length: 10 }, () => client.request('OPTIONS', url));
      expect(new Set(await statuses(preflights))).toEqual(new Set([204]));
    }
    for (const route of [info, posting, fetching]) {
      expect(limitHeaders(await send(client, route)).requestCount).toBe(1);
    }
  });

  test('[LI5] counts in fetch_file like any GET or HEAD of the file service', async () => {
    const paths = [
      '/',
      '/1',
      '/1/data',
      '/1/download',
      '/attachments',
      '/attachments/1',
      '/attachments/1/data',
      '/attachments/1/download',
      '/static/a',
      '/static/a/download',
      '/static',
      '/nobody/knows/this/path',
    ];
    for (const path of paths) {
      const client = new LimitedClient();
      expect(await countAt(client, `${files}/1`)).toBe(1);
      expect([path, await countAt(client, files + path)]).toEqual([path, 2]);
      const head = await client.request('HEAD', files + path);
      expect([path, limitHeaders(head).requestCount]).toEqual([path, 3]);
      expect((await client.get(files + path)).status).toBe(429);
    }
  });

  test('[LI5] counts as an upload or as a fetch, not as both', async () => {
    const client = new LimitedClient();
    await client.get(`${files}/1`);
    const post = await client.request('POST', `${files}/`, 'no form');
    expect(limitHeaders(post)).toMatchObject({ max: 2, requestCount: 1, byteMax: 1_000 });
    expect(await countAt(client, `${files}/1`)).toBe(2);
  });
});
