import { ServerError, ValidationError } from '@hearth/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readError } from '@hearth/testing/clients/read-error';
import { openTestContext } from '@hearth/testing/instances/test-context';
import type { Context } from '../context.ts';
import type { OwnerContext } from '../instance.ts';
import { FailureLog } from '../log/failure-log.ts';
import { jsonLogger } from '../log/logger.ts';
import { policiesBy } from '../ports/limiter/limiter.ts';
import { memoryLimiter } from '../ports/limiter/memory.ts';
import type { Peer } from '../runtime/peer.ts';
import { httpServiceOf, type HttpServiceRoute } from './http-service.ts';
import { httpHandlers } from './handlers.ts';
import { limitedRoute } from './limited-route.ts';
import { json } from './respond.ts';

const PEER: Peer = {
  address: '192.0.2.1',
  isCrowded: false,
  allowSilence() {},
  beginTransfer: () => true,
};
const logged: Record<string, unknown>[] = [];
let ctx: OwnerContext;
let answerTo: (method: string, path: string, init?: RequestInit) => Promise<Response>;

const fails = (error: unknown) => (): never => {
  throw error;
};

/** Routes of every kind. Those that fail count in the `message` limit, and are named after it. */
const routesOf = (context: Context): readonly HttpServiceRoute[] => [
  {
    method: 'GET',
    path: '/both',
    answer: (request, { client }) =>
      json({ range: request.headers.get('range'), client, query: queryOf(request.url) }),
  },
  {
    method: 'POST',
    path: '/both',
    answer: async (request) => json({ posted: await request.text() }),
  },
  { method: 'POST', path: '/post-only', answer: () => json({}) },
  {
    method: 'GET',
    path: '/files/:name',
    answer: (_request, _caller, params) => json({ ...params }),
  },
  ...[
    { path: '/fault', respond: fails(new Error('ENOENT: no such file /srv/secret')) },
    { path: '/own-fault', respond: fails(new ServerError('Making an identifier')) },
    { path: '/later-fault', respond: () => Promise.reject(new TypeError('secret')) },
  ].map(({ path, respond }) => ({
    method: 'GET' as const,
    path,
    answer: limitedRoute(context, 'info', respond),
  })),
  {
    method: 'POST',
    path: '/refusal',
    answer: limitedRoute(context, 'info', fails(new ValidationError('field', 'is wrong'))),
  },
];

function queryOf(url: string): Record<string, string[]> {
  const { searchParams } = new URL(url);
  return Object.fromEntries([...searchParams.keys()].map((key) => [key, searchParams.getAll(key)]));
}

beforeAll(async () => {
  ctx = await openTestContext();
  const log = jsonLogger('info', (line) => logged.push(JSON.parse(line)));
  const limiter = memoryLimiter(
    policiesBy(() => ({ resetAfterMs: 60_000, limit: 1_000 })),
    ctx.clock,
  );
  const context = { ...ctx, limiter, failures: new FailureLog(log, ctx.clock) };
  const { handle } = httpHandlers(
    httpServiceOf(context, routesOf(context)),
    (_request, peer) => `client ${peer}`,
  );
  answerTo = async (method, path, init) =>
    handle(new Request(`http://h${path}`, { ...init, method }), PEER);
});

afterAll(() => ctx[Symbol.asyncDispose]());

describe('[HT4] HEAD', () => {
  test('HEAD is handled like GET without Range', async () => {
    const headers = { Range: 'bytes=0-1', 'X-Other': 'kept' };
    const [get, head] = [
      await answerTo('GET', '/both'),
      await answerTo('HEAD', '/both', { headers }),
    ];
    expect(head.status).toBe(200);
    expect(await head.json()).toEqual(await get.json());
    const ranged = await answerTo('GET', '/both', { headers });
    expect(await ranged.json()).toMatchObject({ range: 'bytes=0-1' });
  });

  test.each(['?a=1&b=2', '?a=1&a=2', '?a=%26%3F/x//y/', '?a?b=c', '?', '', '//?a=/', '/?a#b=c'])(
    'HEAD passes the same query as GET: /both%s',
    async (suffix) => {
      const [get, head] = [
        await answerTo('GET', `/both${suffix}`),
        await answerTo('HEAD', `/both${suffix}`),
      ];
      expect(await head.json()).toEqual(await get.json());
    },
  );

  test('HEAD passes exactly its own query', async () => {
    const head = await answerTo('HEAD', '/both?limit=1&after=%31&after=2');
    expect(await head.json()).toMatchObject({ query: { limit: ['1'], after: ['1', '2'] } });
  });

  test.each(['/both', '/both?x', '//both/', '/files/a%20b', '/nowhere', '/post-only'])(
    'HEAD has the status and the headers of GET at %s',
    async (path) => {
      const [get, head] = [await answerTo('GET', path), await answerTo('HEAD', path)];
      expect(head.status).toBe(get.status);
      expect(head.headers.has('date')).toBe(true);
      head.headers.delete('date');
      expect([...head.headers]).toEqual([...get.headers]);
    },
  );
});

describe('[HT5] routing', () => {
  test.each(['/nowhere', '/both/more', '/files', '/Both', '/both;x', '/%62oth/x', '/both%2f'])(
    'GET and POST of %s are answered with a NotFoundError',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        expect((await readError(await answerTo(method, path))).status).toBe(404);
      }
    },
  );

  test.each([
    ['PUT', '/both', 'GET, HEAD, POST, OPTIONS'],
    ['PATCH', '/both', 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', '/files/x', 'GET, HEAD, OPTIONS'],
    ['POST', '/files/x', 'GET, HEAD, OPTIONS'],
    ['GET', '/post-only', 'POST, OPTIONS'],
    ['PROPFIND', '/post-only', 'POST, OPTIONS'],
  ])('%s of %s is answered with 405, which allows %s', async (method, path, allow) => {
    const answer = await answerTo(method, path);
    expect(answer.headers.get('allow')).toBe(allow);
    expect((await readError(answer)).status).toBe(405);
  });

  test('[HT3] OPTIONS of any path is answered by the handlers themselves', async () => {
    for (const path of ['/both', '/nowhere', '/fault', '/%zz']) {
      expect((await answerTo('OPTIONS', path)).status).toBe(204);
    }
  });

  test.each([
    ['/files/a%20b', 'a b'],
    ['/files/%2561', '%61'],
    ['/files/%252e%252e%252f', '%2e%2e%2f'],
    ['/files/a%2Fb', 'a/b'],
    ['/files/%E2%82%AC', '€'],
  ])('[HT7] a path with %s is decoded once, to %s', async (path, name) => {
    expect(await (await answerTo('GET', path)).json()).toEqual({ name });
  });

  test.each(['/files/%', '/files/%zz', '/files/%ff', '/files/%c0%af', '/files/%00', '/%'])(
    '[HT7] no request fails at %s',
    async (path) => {
      expect((await answerTo('GET', path)).status).toBeLessThan(500);
    },
  );
});

test('handlers pass the client to the routes', async () => {
  expect(await (await answerTo('GET', '/both')).json()).toMatchObject({
    client: `client ${PEER.address}`,
  });
});

describe('[ER6] a fault', () => {
  test.each(['/fault', '/later-fault'])(
    'a fault names its operation, keeps the rate-limit headers and reports nothing else: %s',
    async (path) => {
      const answer = await answerTo('GET', path);
      expect(answer.headers.get('x-ratelimit-max')).toBe('1000');
      const { status, data } = await readError(answer);
      expect([status, data]).toEqual([500, { error: 'Reading the instance information failed' }]);
    },
  );

  test.each([
    ['/fault', 'ENOENT: no such file /srv/secret'],
    ['/own-fault', 'The server failed to handle this request'],
  ])(
    '[OP16] a fault is logged once, at error, with the details that the client is not sent: %s',
    async (path, message) => {
      logged.length = 0;
      expect((await answerTo('GET', path)).status).toBe(500);
      expect(logged).toHaveLength(1);
      expect(logged[0]).toMatchObject({ level: 50, err: { message } });
    },
  );

  test('that a verb has named keeps that name', async () => {
    const { data } = await readError(await answerTo('GET', '/own-fault'));
    expect(data).toEqual({ error: 'Making an identifier failed' });
  });

  test('a fault is not reported if the client has disconnected', async () => {
    logged.length = 0;
    const answer = await answerTo('GET', '/fault', { signal: AbortSignal.abort() });
    expect([answer.status, logged]).toEqual([500, []]);
  });
});

describe('[ER7] a refusal', () => {
  test('[OP16] a refusal is not a fault, so it is not logged as one', async () => {
    logged.length = 0;
    expect((await answerTo('GET', '/nowhere')).status).toBe(404);
    expect((await answerTo('POST', '/refusal')).status).toBe(422);
    expect(logged).toEqual([]);
  });

  test.each([
    ['PUT', '/both', 405],
    ['POST', '/nowhere', 404],
    ['POST', '/refusal', 422],
  ])('a refusal of %s %s is answered after the body was read', async (method, path, status) => {
    let taken = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        taken += 1;
        if (taken > 30) controller.close();
        else controller.enqueue(new Uint8Array(1_000_000));
      },
    });
    expect((await answerTo(method, path, { body })).status).toBe(status);
    expect(taken).toBe(31);
  });
});
