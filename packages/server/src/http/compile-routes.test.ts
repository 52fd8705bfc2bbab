import { readError } from '@hearth/testing/clients/read-error';
import { limitHeaders } from '@hearth/testing/clients/limited-client';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { z } from 'zod';
import type { Actor } from '../actor.ts';
import type { OwnerContext } from '../instance.ts';
import { policiesBy } from '../ports/limiter/limiter.ts';
import { memoryLimiter } from '../ports/limiter/memory.ts';
import type { Peer } from '../runtime/peer.ts';
import { compileRoutes } from './compile-routes.ts';
import { httpServiceOf } from './http-service.ts';
import { httpHandlers } from './handlers.ts';
import { METHODS } from './router.ts';
import { CONTENT, route } from './route.ts';
import { StoredContents } from './stored-contents.ts';

const PEER: Peer = {
  address: '192.0.2.1',
  isCrowded: false,
  allowSilence() {},
  beginTransfer: () => true,
};

const thing = z.object({ of: z.string(), id: z.string(), times: z.int(), text: z.string() });
const seen: Actor[] = [];
let timesMade = 0;

const base = {
  limit: 'info',
  auth: 'optional',
  name: 'test',
  tag: 'tests',
  summary: 'Test',
} as const;

const ROUTES = [
  ...METHODS.map((method) =>
    route({
      ...base,
      method,
      path: '/method',
      answers: z.object({ method: z.string() }),
      handle: () => ({ method }),
    }),
  ),
  route({
    ...base,
    method: 'PUT',
    path: '/places/:of/things/:id',
    params: z.object({ of: z.string(), id: z.string().regex(/^\d+$/) }),
    query: z.object({ times: z.string().transform(Number).pipe(z.int()) }),
    body: z.object({ text: z.string().min(1), id: z.string().optional() }),
    answers: thing,
    handle: (_ctx, actor, { of, id, times, text }) => {
      seen.push(actor);
      return { of, id, times, text };
    },
  }),
  route({
    ...base,
    method: 'GET',
    path: '/mine',
    auth: 'user',
    answers: z.object({}),
    handle: () => ({}),
  }),
  route({
    ...base,
    method: 'GET',
    path: '/same-for-all',
    auth: 'user',
    answers: z.object({}),
    isConstant: true,
    handle: () => ({}),
  }),
  route({
    ...base,
    method: 'GET',
    path: '/made-once',
    answers: z.object({ made: z.int() }),
    isConstant: true,
    handle: () => ({ made: (timesMade += 1) }),
  }),
];

let ctx: OwnerContext;
let answerTo: (method: string, path: string, body?: string) => Promise<Response>;

beforeAll(async () => {
  ctx = await openTestContext();
  const limiter = memoryLimiter(
    policiesBy(() => ({ resetAfterMs: 60_000, limit: 1_000 })),
    ctx.clock,
  );
  const context = { ...ctx, limiter };
  const service = httpServiceOf(context, compileRoutes(ROUTES, { ctx: context }));
  const { handle } = httpHandlers(service, () => '192.0.2.9');
  answerTo = async (method, path, body) => {
    const init = body === undefined ? { method } : { method, body };
    return handle(new Request(`http://h${path}`, init), PEER);
  };
});

afterAll(() => ctx[Symbol.asyncDispose]());

test.each(METHODS)('a route may have the method %s, and counts in its limit', async (method) => {
  const answer = await answerTo(method, '/method');
  expect(await answer.json()).toEqual({ method });
  expect(limitHeaders(answer)).toMatchObject({ max: 1_000 });
});

test('a constant answer is made once, for the first request', async () => {
  expect(timesMade).toBe(0);
  for (const _request of [1, 2]) {
    expect(await (await answerTo('GET', '/made-once')).json()).toEqual({ made: 1 });
  }
});

describe('a route with parameters, a query and a body', () => {
  const PATH = '/places/a%20b/things/7?times=3';

  test('a route passes all of them to its verb as one object, with the actor', async () => {
    const answer = await answerTo('PUT', PATH, '{"text":"x","id":"8"}');
    expect(await answer.json()).toEqual({ of: 'a b', id: '7', times: 3, text: 'x' });
    expect(seen.at(-1)).toEqual({ kind: 'guest', address: '192.0.2.9' });
  });

  test.each([
    ['/places/a/things/x?times=3', '{}', 404, undefined],
    ['/places/a/things/7?times=x', '{}', 422, 'times'],
    ['/places/a/things/7', '{}', 422, 'times'],
    [PATH, '{"text":""}', 422, 'text'],
    [PATH, '[]', 422, 'body'],
    [PATH, `{"text":"${'x'.repeat(64 * 1024)}"}`, 422, 'body'],
  ])('a route refuses what its schemas do not allow: %s', async (path, body, status, field) => {
    const answer = await answerTo('PUT', path, body);
    expect(limitHeaders(answer)).toMatchObject({ max: 1_000 });
    const { status: found, data } = await readError(answer);
    expect([found, data?.['field_name']]).toEqual([status, field]);
  });
});

test.each(['/mine', '/same-for-all'])(
  '%s wants an account, and refuses guests with a 401',
  async (path) => {
    const answer = await answerTo('GET', path);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect((await readError(answer)).status).toBe(401);
  },
);

test('a content that depends on the query or headers needs a key', () => {
  const bare = {
    ...base,
    method: 'GET',
    path: '/content',
    answers: CONTENT,
    handle: () => Promise.reject(new Error('never called')),
  } as const;
  const contents = new StoredContents(ctx);
  for (const reads of [
    { query: z.object({ size: z.string() }) },
    { headers: z.object({ accept: z.string() }) },
  ]) {
    expect(() => compileRoutes([route({ ...bare, ...reads })], { ctx, contents })).toThrow(
      TypeError,
    );
    const keyed = route({ ...bare, ...reads, keyedBy: () => '' });
    expect(compileRoutes([keyed], { ctx, contents })).toHaveLength(1);
  }
});
