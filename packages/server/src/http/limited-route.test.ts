import {
  formatId,
  NotFoundError,
  readPermissions,
  ServerError,
  STAFF_PERMISSIONS,
  UnauthorizedError,
  ValidationError,
} from '@hearth/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { fakeClock, type FakeClock } from '@hearth/testing/fake-clock';
import { limitHeaders } from '@hearth/testing/clients/limited-client';
import { readError } from '@hearth/testing/clients/read-error';
import { openTestContext } from '@hearth/testing/instances/test-context';
import type { TokenHolder } from '../authentication.ts';
import type { Context } from '../context.ts';
import type { OwnerContext } from '../instance.ts';
import { jsonLogger, LEVELS } from '../log/logger.ts';
import { FailureLog } from '../log/failure-log.ts';
import { RefusalLog } from '../log/refusal-log.ts';
import {
  policiesBy,
  type Limiter,
  type LimitPolicies,
  type LimitPolicy,
  type Verdict,
} from '../ports/limiter/limiter.ts';
import { memoryLimiter } from '../ports/limiter/memory.ts';
import type { Answer, Caller } from './caller.ts';
import { limitedJson, limitedJsonPost, limitedRoute } from './limited-route.ts';

const LIMIT = 2;
const POLICY: LimitPolicy = { resetAfterMs: 5_000, limit: LIMIT };
const POLICIES: LimitPolicies = {
  ...policiesBy(() => POLICY),
  attachments: { ...POLICY, byteLimit: 1_000 },
};
const CALLER: Caller = {
  client: '192.0.2.1',
  basePath: '',
  peer: { address: '192.0.2.1', isCrowded: false, allowSilence() {}, beginTransfer: () => true },
};

let base: OwnerContext;
let clock: FakeClock;
let ctx: Context;
let logged: Record<string, unknown>[];

beforeAll(async () => {
  base = await openTestContext();
});

afterAll(() => base[Symbol.asyncDispose]());

beforeEach(() => {
  clock = fakeClock();
  logged = [];
  const lines = logged;
  const log = jsonLogger('debug', (line) => lines.push(JSON.parse(line)));
  const limiter = memoryLimiter(POLICIES, clock);
  ctx = {
    ...base,
    clock,
    log,
    limiter,
    refusals: new RefusalLog(log, clock),
    failures: new FailureLog(log, clock),
  };
});

/** A context in which `take` counts requests instead. */
const countingBy = (take: Limiter['take']): Context => ({
  ...ctx,
  limiter: { ...ctx.limiter, take },
});
const countingSlowly = () =>
  countingBy(async (bucket, client) => {
    await Promise.resolve();
    return ctx.limiter.take(bucket, client);
  });

const get = () => new Request('http://h/');
const post = (init: RequestInit = {}) => new Request('http://h/', { ...init, method: 'POST' });
const logsAt = (level: keyof typeof LEVELS) =>
  logged.filter((line) => line['level'] === LEVELS[level]);
/** The limit headers of a client's first or later request in its time frame. */
const frame = (requestCount: number) => ({
  reset: 5_000,
  max: LIMIT,
  lastReset: clock.unixMs(),
  requestCount,
});

/** The refusals in the log, and how many of each. */
function refusals(): unknown {
  ctx.refusals[Symbol.dispose]();
  return Object.fromEntries(
    logsAt('info').map(({ refusal, count }) => [String(refusal), Number(count)]),
  );
}

describe('an answer', () => {
  test('an answer is returned at once if neither counting nor answering has to wait', async () => {
    const answers = [
      limitedRoute(ctx, 'info', () => new Response('read'))(get(), CALLER),
      limitedJson(ctx, 'info', () => '"read"')(get(), CALLER),
    ];
    expect(answers).toEqual([expect.any(Response), expect.any(Response)]);
    expect(await Promise.all(answers.map(async (answer) => (await answer).text()))).toEqual([
      'read',
      '"read"',
    ]);
  });

  test('an answer is a promise if counting or answering has to wait', async () => {
    const answers = [
      limitedRoute(ctx, 'info', async () => new Response('1'))(get(), CALLER),
      limitedJson(ctx, 'info', async () => '2')(get(), CALLER),
      limitedRoute(countingSlowly(), 'rate_limits', () => new Response('3'))(get(), CALLER),
      limitedJson(countingSlowly(), 'rate_limits', async () => '4')(get(), CALLER),
    ];
    for (const answer of answers) expect(answer).toBeInstanceOf(Promise);
    const texts = Promise.all(answers.map(async (answer) => (await answer).text()));
    expect(await texts).toEqual(['1', '2', '3', '4']);
  });

  test('an answer is made with the request and how it was counted', async () => {
    const seen: (readonly [request: Request, verdict: Verdict])[] = [];
    for (const context of [ctx, countingSlowly()]) {
      const route = limitedRoute(context, 'attachments', ({ request, verdict }) => {
        seen.push([request, verdict]);
        return new Response('');
      });
      const request = post();
      await route(request, CALLER);
      expect(seen.at(-1)?.[0]).toBe(request);
    }
    expect(seen.map(([, { requestCount, allowed }]) => [requestCount, allowed])).toEqual([
      [1, true],
      [2, true],
    ]);
  });

  test('[HT2][LI9][LI12] in JSON has the headers of JSON and those of the limit, with its own count', async () => {
    const { promise: isTime, resolve: letGo } = Promise.withResolvers<void>();
    const slow = limitedJson(ctx, 'info', async () => {
      await isTime;
      return '{"a":1}';
    });
    const answers = [slow(get(), CALLER), slow(get(), CALLER)];
    letGo();
    for (const [at, made] of answers.entries()) {
      const answer = await made;
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect([limitHeaders(answer), await answer.json()]).toEqual([frame(at + 1), { a: 1 }]);
    }
  });
});

describe.each<[how: string, context: () => Context]>([
  ['at once', () => ctx],
  ['later', countingSlowly],
])('a request that is counted %s', (_how, context) => {
  test('[LI1][LI9] beyond the limit is refused with a RateLimitedError and its headers, and is not handled', async () => {
    let times = 0;
    const route = limitedJson(context(), 'info', () => `${(times += 1)}`);
    for (let count = 1; count <= LIMIT; count += 1) {
      expect((await route(get(), CALLER)).status).toBe(200);
    }
    clock.advance(1_000);
    const refused = await route(get(), CALLER);
    expect(refused.headers.get('retry-after')).toBe('4');
    expect(limitHeaders(refused)).toEqual({ ...frame(LIMIT), lastReset: clock.unixMs() - 1_000 });
    const { status, data } = await readError(refused);
    expect([status, data, times]).toEqual([429, { retry_after: 4_000 }, LIMIT]);
    const other = { ...CALLER, client: '192.0.2.2' };
    expect((await route(get(), other)).status).toBe(200);
    expect(logsAt('error')).toEqual([]);
    expect(refusals()).toEqual({ RateLimitedError: 1 });
  });

  test('[HT10][LI4] with an unknown expectation is refused before its body is read, and counts', async () => {
    let times = 0;
    const route = limitedJson(context(), 'message_create', () => `${(times += 1)}`);
    const refused = await route(post({ headers: { Expect: '100-Continue' } }), CALLER);
    expect(limitHeaders(refused)).toEqual(frame(1));
    expect([(await readError(refused)).status, times]).toEqual([417, 0]);
    const met = await route(post({ headers: { Expect: '100-continue' } }), CALLER);
    expect([met.status, limitHeaders(met)]).toEqual([200, frame(2)]);
    expect(refusals()).toEqual({ ExpectationFailedError: 1 });
  });

  test('[HT10] a request may have any expectation if it has no body', async () => {
    const route = limitedJson(context(), 'info', () => '1');
    const request = new Request('http://h/', { headers: { Expect: 'the unexpected' } });
    expect((await route(request, CALLER)).status).toBe(200);
  });

  test('[ER7] that is refused is answered after its body was read', async () => {
    const taken = { chunks: 0 };
    const body = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          taken.chunks += 1;
          if (taken.chunks % 10 === 0) controller.close();
          else controller.enqueue(new Uint8Array(100_000));
        },
      });
    const route = limitedJson(context(), 'message_create', () => '1');
    for (let count = 1; count <= LIMIT; count += 1) await route(post(), CALLER);
    expect((await route(post({ body: body() }), CALLER)).status).toBe(429);
    expect(taken.chunks).toBe(10);
    const crowded = { ...CALLER, peer: { ...CALLER.peer, isCrowded: true } };
    expect((await route(post({ body: body() }), crowded)).status).toBe(429);
    expect(taken.chunks).toBeLessThan(20);
  });
});

/** Routes that fail with `error`, each in another way. */
const failing: readonly [way: string, make: (error: Error) => Answer][] = [
  [
    'thrown',
    (error) =>
      limitedRoute(ctx, 'info', () => {
        throw error;
      }),
  ],
  ['rejected', (error) => limitedRoute(ctx, 'info', () => Promise.reject(error))],
  [
    'thrown after waiting for the count',
    (error) =>
      limitedRoute(countingSlowly(), 'info', () => {
        throw error;
      }),
  ],
  [
    'rejected after waiting for the count',
    (error) => limitedRoute(countingSlowly(), 'info', () => Promise.reject(error)),
  ],
  [
    'thrown instead of text',
    (error) =>
      limitedJson(ctx, 'info', () => {
        throw error;
      }),
  ],
  ['rejected instead of text', (error) => limitedJson(ctx, 'info', () => Promise.reject(error))],
  [
    'thrown after a body',
    (error) =>
      limitedJsonPost(ctx, 'info', {
        maxBytes: 10,
        produce() {
          throw error;
        },
      }),
  ],
  [
    'rejected after a body',
    (error) => limitedJsonPost(ctx, 'info', { maxBytes: 10, produce: () => Promise.reject(error) }),
  ],
];

describe('a route with a body', () => {
  const BODY = '{"a":"é"}';
  const lengthOf = (body: ArrayBuffer | Uint8Array) => `${body.byteLength}`;
  const sized = (body: string) =>
    post({ body, headers: { 'Content-Length': String(Buffer.byteLength(body)) } });

  test('a route answers with what it makes from the bytes, at once or later, and with its own count', async () => {
    const atOnce = limitedJsonPost(ctx, 'message_create', { maxBytes: 10, produce: lengthOf });
    const later = limitedJsonPost(countingSlowly(), 'rate_limits', {
      maxBytes: 10,
      produce: async (body) => lengthOf(body),
    });
    for (const route of [atOnce, later]) {
      for (const [at, request] of [sized(BODY), post({ body: BODY })].entries()) {
        const answer = await route(request, CALLER);
        expect([answer.status, await answer.text()]).toEqual([200, '10']);
        expect(limitHeaders(answer)).toEqual(frame(at + 1));
        expect(answer.headers.get('content-type')).toBe('application/json');
      }
    }
  });

  test('a body that is too large is refused, and nothing is done with it', async () => {
    let times = 0;
    const produce = () => `${(times += 1)}`;
    const route = limitedJsonPost(ctx, 'message_create', { maxBytes: 9, produce });
    for (const request of [sized(BODY), post({ body: BODY })]) {
      const refused = await readError(await route(request, CALLER));
      expect(refused.data).toEqual({ field_name: 'body', error: 'must be at most 9 bytes' });
    }
    expect([(await route(sized('{}'), CALLER)).status, times]).toEqual([429, 0]);
  });
});

describe.each(failing)('an error that is %s', (_way, make) => {
  test('[ER6][OP16][LI9] the error is a fault: it names the operation, has the limit headers, and is logged once', async () => {
    const route = make(new Error('ENOENT: /srv/secret'));
    const answer = await route(get(), CALLER);
    expect(limitHeaders(answer)).toEqual(frame(1));
    expect(await readError(answer)).toMatchObject({
      status: 500,
      data: { error: 'Reading the instance information failed' },
    });
    expect(logsAt('error')).toEqual([
      expect.objectContaining({
        err: expect.objectContaining({ message: 'ENOENT: /srv/secret' }),
        operation: 'Reading the instance information',
      }),
    ]);
    expect(refusals()).toEqual({});
    // The next request continues the count.
    expect(limitHeaders(await route(get(), CALLER)).requestCount).toBe(2);
  });

  test('[ER6] the error keeps the name that a verb gave it', async () => {
    const answer = await make(new ServerError('Making an identifier'))(get(), CALLER);
    expect((await readError(answer)).data).toEqual({ error: 'Making an identifier failed' });
    expect(logsAt('error')).toHaveLength(1);
  });

  test('[OP16] the error is not logged if the client has disconnected', async () => {
    const request = new Request('http://h/', { signal: AbortSignal.abort() });
    expect((await make(new Error('gone'))(request, CALLER)).status).toBe(500);
    expect(logged).toEqual([]);
  });

  test('[ER7][OP16][LI9] the error is a refusal if the client caused it: counted, not a fault, with the limit headers', async () => {
    const answer = await make(new ValidationError('author', 'is wrong'))(get(), CALLER);
    expect(limitHeaders(answer)).toEqual(frame(1));
    expect((await readError(answer)).data).toEqual({ field_name: 'author', error: 'is wrong' });
    expect((await make(new NotFoundError())(get(), CALLER)).status).toBe(404);
    expect(logsAt('error')).toEqual([]);
    expect(refusals()).toEqual({ ValidationError: 1, NotFoundError: 1 });
  });
});

describe('[ER6] a limiter that fails', () => {
  test.each<[how: string, take: () => Verdict | Promise<Verdict>]>([
    ['by rejecting', () => Promise.reject(new Error('no connection to 10.0.0.1'))],
    [
      'by throwing',
      () => {
        throw new Error('no connection to 10.0.0.1');
      },
    ],
  ])(
    '%s is a fault, of a request that was not counted: nothing is done, and it is logged once',
    async (_how, take) => {
      let times = 0;
      const route = limitedJson(countingBy(take), 'message_create', () => `${(times += 1)}`);
      const answer = await route(post(), CALLER);
      expect(limitHeaders(answer)).toEqual({});
      expect(await readError(answer)).toMatchObject({
        status: 500,
        data: { error: 'Posting the message failed' },
      });
      expect(logsAt('error')).toHaveLength(1);
      expect(times).toBe(0);
    },
  );
});

describe('a token', () => {
  const PERMISSIONS = readPermissions(STAFF_PERMISSIONS, []);
  const holder = (sequence: number): TokenHolder => ({
    userId: formatId({ seconds: 1, instanceId: 1, sequence }),
    isBot: false,
    credential: {
      kind: 'session',
      id: formatId({ seconds: 2, instanceId: 1, sequence }),
      token_hash: '',
    },
    staffPermissions: PERMISSIONS,
    countedAs: `user ${sequence}`,
  });
  const HOLDERS: Readonly<Record<string, TokenHolder>> = { ada: holder(1), bob: holder(2) };

  function withTokens(answer: 'at once' | 'later'): Context {
    const check = (token: string): TokenHolder => {
      const found = HOLDERS[token];
      if (found === undefined) throw new UnauthorizedError('token_invalid');
      return found;
    };
    const later = async (token: string) => check(token);
    return { ...ctx, authentication: { check: answer === 'later' ? later : check } };
  }

  const bearing = (authorization: string, method = 'GET') =>
    new Request('http://h/', { method, headers: { authorization } });
  const whoIs: Parameters<typeof limitedJson>[2] = ({ actor }) =>
    actor.kind === 'account' ? actor.user_id : actor.kind;

  test.each(['at once', 'later'] as const)(
    '[AC10] a token identifies the sender %s, and a wrong one is refused on a route for anybody',
    async (answer) => {
      const route = limitedJson(withTokens(answer), 'read', whoIs);
      expect(await (await route(bearing('Bearer ada'), CALLER)).text()).toBe(holder(1).userId);
      expect(await (await route(bearing('bEARER  ada '), CALLER)).text()).toBe(holder(1).userId);
      for (const wrong of ['Bearer nobody', 'Bearer', 'Bearer ', 'Bearer ada bob', 'bearer\tada']) {
        const refused = await route(bearing(wrong), CALLER);
        expect([wrong, refused.status]).toEqual([wrong, 401]);
        expect(refused.headers.get('WWW-Authenticate')).toBe('Bearer');
        expect(await readError(refused)).toMatchObject({ data: { code: 'token_invalid' } });
        clock.advance(POLICY.resetAfterMs);
      }
      const atOnce = route(bearing('Bearer ada'), CALLER);
      expect(atOnce instanceof Promise).toBe(answer === 'later');
    },
  );

  test.each(['Basic YWRhOmFkYQ==', 'Bearerish ada', ''])(
    '[AC10] a header of another scheme, such as "%s", is not about accounts',
    async (authorization) => {
      const route = limitedJson(withTokens('at once'), 'read', whoIs);
      expect(await (await route(bearing(authorization), CALLER)).text()).toBe('guest');
    },
  );

  test('[AC11] a token is counted for its user, whatever the address, and for the address at ten times as much', async () => {
    const route = limitedJson(withTokens('at once'), 'info', whoIs);
    const statusOf = async (token: string, client = CALLER.client) =>
      (await route(bearing(`Bearer ${token}`), { ...CALLER, client })).status;
    for (let i = 0; i < LIMIT; i += 1) expect(await statusOf('ada')).toBe(200);
    expect(await statusOf('ada')).toBe(429);
    expect(await statusOf('ada', '192.0.2.2')).toBe(429);
    expect(await statusOf('bob')).toBe(200);
    expect((await route(get(), CALLER)).status).toBe(200);
    const rest = LIMIT * 10 - LIMIT - 2;
    for (let i = 0; i < rest; i += 1) expect(await statusOf('nobody')).toBe(401);
    expect(await statusOf('nobody')).toBe(429);
    expect(await statusOf('bob')).toBe(429);
    expect(await statusOf('bob', '192.0.2.2')).toBe(200);
  });

  test('[AC11] a token does not allow an address more registrations and sign-ins', async () => {
    const route = limitedJson(withTokens('at once'), 'account_create', whoIs);
    const statusOf = async (request: Request) => (await route(request, CALLER)).status;
    expect(await statusOf(bearing('Bearer ada', 'POST'))).toBe(200);
    expect(await statusOf(bearing('Bearer nobody', 'POST'))).toBe(401);
    expect(await statusOf(bearing('Bearer bob', 'POST'))).toBe(429);
    expect(await statusOf(post())).toBe(429);
  });

  test('[AC11] a token posts messages in a limit of its own', async () => {
    const taken: string[] = [];
    const take: Limiter['take'] = (bucket, client, times) => {
      taken.push(`${bucket} ${client}`);
      return ctx.limiter.take(bucket, client, times);
    };
    const route = limitedJson(
      { ...withTokens('at once'), limiter: { ...ctx.limiter, take } },
      'message_create',
      whoIs,
    );
    await route(bearing('Bearer ada', 'POST'), CALLER);
    await route(post(), CALLER);
    expect(taken).toEqual([
      `message_send tokens of ${CALLER.client}`,
      'message_send user 1',
      `message_create ${CALLER.client}`,
    ]);
  });
});
