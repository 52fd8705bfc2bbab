import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { fakeClock } from '@hearth/testing/fake-clock';
import { until } from '@hearth/testing/until';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import {
  connect,
  createClient,
  HearthError,
  identityOf,
  memoryTokens,
  NetworkError,
  NotFoundError,
  RateLimitedError,
  UnauthorizedError,
  type Client,
  type ClientOptions,
  type Id,
  type InstanceInfo,
} from '../src/index.ts';

const URL_BASE = 'https://chat.example.org';
const PASSWORD = 'correct horse battery';
// Guarantee: it is an identifier.
const ID = '42' as Id;

const USER = { id: '7', username: 'ada', created_at: 1, version: 1 };
const OWN = { ...USER, email: 'ada@example.org', email_verified: false, settings: {}, factors: [] };
const SESSION = { id: '9', created_at: 1, last_used_at: 1, current: true };
const INFO: InstanceInfo = {
  instance_name: 'Hearth',
  description: null,
  version: '0.3.2+hearth',
  message_limit: 2048,
  oprish_url: URL_BASE,
  pandemonium_url: 'wss://chat.example.org/gateway',
  effis_url: 'https://chat.example.org/files',
  file_size: 1,
  attachment_file_size: 1,
};
const CAPABILITIES: NonNullable<ClientOptions['capabilities']> = {
  profiles: [0, 1],
  features: ['accounts', 'history', 'nonce'],
  registration: 'open',
  lobby: 'open',
  limits: {
    message_limit: 2048,
    nonce_limit: 64,
    page_limit: 100,
    file_size: 1,
    attachment_file_size: 1,
    media_sizes: [],
  },
};

interface Asked {
  readonly line: string;
  readonly authorization: string | null;
  readonly body: unknown;
  readonly redirect: RequestRedirect | undefined;
}

type Answers = Readonly<Record<string, unknown>>;

let clients: Client[] = [];

afterEach(async () => {
  for (const client of clients) await client.close();
  clients = [];
});

/** A client of an instance that answers as in `answers`; a Response is answered as it is. */
function clientOf(answers: Answers, options: ClientOptions = {}, info: Partial<InstanceInfo> = {}) {
  const asked: Asked[] = [];
  const client = createClient(
    { ...INFO, ...info },
    {
      capabilities: CAPABILITIES,
      fetch: async (url, init) => {
        const line = `${init?.method ?? 'GET'} ${new URL(url).pathname}`;
        const text = init?.body;
        const body: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
        const authorization = new Headers(init?.headers).get('Authorization');
        asked.push({ line, authorization, body, redirect: init?.redirect });
        const answer = answers[line];
        if (answer instanceof Response) return answer.clone();
        return answer === undefined ? refused(404) : Response.json(answer);
      },
      ...options,
    },
  );
  clients.push(client);
  return { client, asked };
}

function refused(status: number, data?: object): Response {
  return Response.json({ status, message: 'No', data }, { status });
}

function signedIn(token: string): object {
  return { user: OWN, token, session: SESSION };
}

describe('[SK16] a token', () => {
  test('a token is stored after signing in and sent from then on, until one signs out', async () => {
    const tokens = memoryTokens();
    const { client, asked } = clientOf(
      {
        'POST /auth': signedIn('t.1'),
        'GET /users/me': OWN,
        'DELETE /sessions/current': {},
        'GET /users/42': USER,
      },
      { tokens },
    );
    const result = await client.signIn({ ...identityOf(' ada '), password: PASSWORD });
    expect(result).toMatchObject({ user: { username: 'ada' }, session: { id: '9' } });
    expect(tokens.read()).toBe('t.1');
    expect(await client.me()).toMatchObject(OWN);
    await client.signOut();
    expect(tokens.read()).toBeUndefined();
    await client.user(ID);
    expect(asked.map(({ line, authorization }) => `${line} ${authorization}`)).toEqual([
      'POST /auth null',
      'GET /users/me Bearer t.1',
      'DELETE /sessions/current Bearer t.1',
      'GET /users/42 null',
    ]);
    expect(asked[0]?.body).toEqual({ username: 'ada', password: PASSWORD });
  });

  test('a token is stored after a registration, unless the account has to be approved', async () => {
    const account = { username: 'ada', email: 'ada@example.org', password: PASSWORD };
    const open = clientOf({ 'POST /users': signedIn('t.1'), 'GET /users/me': OWN });
    expect(await open.client.register(account)).toMatchObject({ token: 't.1' });
    await open.client.me();
    expect(open.asked.at(-1)?.authorization).toBe('Bearer t.1');
    const tokens = memoryTokens();
    const closed = clientOf({ 'POST /users': { user: OWN, pending: true } }, { tokens });
    expect(await closed.client.register({ ...account, invite: 'x' })).toEqual({
      user: OWN as never,
      pending: true,
    });
    expect(tokens.read()).toBeUndefined();
    expect(closed.asked[0]?.body).toEqual({ ...account, invite: 'x' });
  });

  test('a token is replaced by a new one after a new password or a renewal', async () => {
    const tokens = memoryTokens('t.1');
    const { client, asked } = clientOf(
      { 'PATCH /users/me': signedIn('t.2'), 'POST /sessions/current/token': { token: 't.3' } },
      { tokens },
    );
    const patch = { password: 'another one', current_password: PASSWORD };
    expect(await client.updateMe(patch)).toMatchObject({ username: 'ada', factors: [] });
    expect(tokens.read()).toBe('t.2');
    await client.sessions.renewToken();
    expect(tokens.read()).toBe('t.3');
    expect(asked.map(({ authorization }) => authorization)).toEqual(['Bearer t.1', 'Bearer t.2']);
  });

  test.each([
    ['the session has ended already', refused(401, { code: 'token_ended' }), undefined],
    ['the instance fails', refused(500, { error: 'Saving the change failed' }), 500],
  ])('a token is forgotten by signing out if %s', async (_what, answer, status) => {
    const tokens = memoryTokens('t.1');
    const { client } = clientOf({ 'DELETE /sessions/current': answer }, { tokens });
    const error = await client.signOut().catch((reason: unknown) => reason);
    expect(error).toEqual(status === undefined ? undefined : expect.objectContaining({ status }));
    expect(tokens.read()).toBeUndefined();
  });

  test('a token is forgotten after the account was deleted', async () => {
    const tokens = memoryTokens('t.1');
    const { client, asked } = clientOf({ 'DELETE /users/me': {} }, { tokens });
    await client.deleteMe({ current_password: PASSWORD, content: 'erase' });
    expect(tokens.read()).toBeUndefined();
    expect(asked[0]?.body).toEqual({ current_password: PASSWORD, content: 'erase' });
  });
});

describe('[SK17] a token that is refused', () => {
  test('a token is forgotten and reported once, however many requests had it', async () => {
    const tokens = memoryTokens('t.1');
    const answer = refused(401, { code: 'token_ended' });
    const { client } = clientOf({ 'GET /users/me': answer, 'GET /sessions': answer }, { tokens });
    const refusals: unknown[] = [];
    client.on('tokenRefused', (refusal) => void refusals.push(refusal));
    // Their limits differ, so both are on their way at the same time.
    const results = await Promise.allSettled([client.me(), client.sessions.list()]);
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'token_ended' } });
    }
    expect(refusals).toEqual([{ code: 'token_ended' }]);
    expect(tokens.read()).toBeUndefined();
  });

  test('a token is reported if another program has removed it from the storage', async () => {
    const written: unknown[] = [];
    const tokens = {
      read: (refusedToken?: string) => (refusedToken === undefined ? 't.1' : undefined),
      write: (token: string | undefined) => void written.push(token),
    };
    const { client } = clientOf({ 'GET /users/me': refused(401, { code: 'x' }) }, { tokens });
    const refusals: unknown[] = [];
    client.on('tokenRefused', (refusal) => void refusals.push(refusal));
    await client.me().catch(() => undefined);
    expect([refusals, written]).toEqual([[{ code: 'x' }], []]);
  });

  test('a token is not forgotten if another one has been stored meanwhile, which is sent', async () => {
    let kept: string | undefined = 'old';
    const written: unknown[] = [];
    const tokens = {
      read: (refusedToken?: string) => {
        if (refusedToken === 'old') kept = 'new';
        return kept;
      },
      write: (token: string | undefined) => void written.push(token),
    };
    const sent: (string | null)[] = [];
    const { client } = clientOf(
      {},
      {
        tokens,
        fetch: async (_url, init) => {
          const authorization = new Headers(init?.headers).get('Authorization');
          sent.push(authorization);
          return authorization === 'Bearer new' ? Response.json(OWN) : refused(401, { code: 'x' });
        },
      },
    );
    client.on('tokenRefused', () => expect.unreachable());
    await client.me();
    expect([sent, written]).toEqual([['Bearer old', 'Bearer new'], []]);
  });

  test.each(['credentials_wrong', 'factor_required'])(
    '%s does not mean that: nothing is forgotten or reported',
    async (code) => {
      const tokens = memoryTokens('t.1');
      const { client, asked } = clientOf({ 'POST /auth': refused(401, { code }) }, { tokens });
      client.on('tokenRefused', () => expect.unreachable());
      const signing = client.signIn({ email: 'ada@example.org', password: PASSWORD });
      const error = await signing.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(UnauthorizedError);
      expect(error).toMatchObject({ code });
      expect(asked.map(({ authorization }) => authorization)).toEqual([null]);
      expect(tokens.read()).toBe('t.1');
    },
  );
});

describe('[SK31] a message that gets no answer', () => {
  /** A client whose first `broken` posts get no answer, and the posts that it has made. */
  function away(broken: number, tokens = memoryTokens('t.1')) {
    const timers = new Map<() => void, number>();
    const clock = {
      now: () => 1_800_000_000_000,
      after(delayMs: number, callback: () => void) {
        timers.set(callback, delayMs);
        return () => void timers.delete(callback);
      },
    };
    const posts: string[] = [];
    const { client } = clientOf(
      {},
      {
        clock,
        tokens,
        author: 'ada',
        fetch: async (_url, init) => {
          const body = typeof init?.body === 'string' ? init.body : '';
          posts.push(`${new Headers(init?.headers).get('Authorization')} ${body}`);
          if (posts.length <= broken) throw new TypeError('the connection broke');
          return Response.json({ id: '1', author: 'ada', content: 'hi', created_at: 1 });
        },
      },
    );
    /** Lets time pass once so many posts are made. */
    const passAfter = async (count: number, ms: number) => {
      const due = () => [...timers].find(([, delayMs]) => delayMs === ms)?.[0];
      await until(async () => posts.length === count && due() !== undefined);
      due()?.();
    };
    return { client, tokens, posts, passAfter };
  }

  test('a message is sent again with the same nonce and token', async () => {
    const { client, posts, tokens, passAfter } = away(2);
    const sent = client.send('hi');
    await passAfter(1, 300);
    // Somebody else's token would post a second message.
    await tokens.write('t.2');
    await passAfter(2, 2_000);
    expect(await sent).toMatchObject({ id: '1' });
    expect(posts).toHaveLength(3);
    expect(new Set(posts).size).toBe(1);
    expect(posts[0]).toMatch(/^Bearer t\.1 .*"nonce":"[0-9a-f]{32}"/);
  });

  test('a message fails after three repetitions, at once if it is cancelled, and without a token after none', async () => {
    const lasting = away(9);
    const failing = lasting.client.send('hi').catch((error: unknown) => error);
    for (const [index, ms] of [300, 2_000, 5_000].entries()) await lasting.passAfter(index + 1, ms);
    expect(await failing).toBeInstanceOf(NetworkError);
    expect(lasting.posts).toHaveLength(4);
    const cancelled = away(9);
    const controller = new AbortController();
    const { signal } = controller;
    const ending = cancelled.client.send('hi', { signal }).catch((error: unknown) => error);
    await until(async () => cancelled.posts.length === 1);
    controller.abort('enough');
    expect(await ending).toBe('enough');
    const guest = away(9, memoryTokens());
    expect(await guest.client.send('hi').catch((error: unknown) => error)).toBeInstanceOf(
      NetworkError,
    );
    expect(guest.posts).toHaveLength(1);
  });
});

describe('[SK18] a secret', () => {
  const plainFiles = { effis_url: 'http://files.example.org' };

  test('a secret is not sent to an http address of an instance whose REST service has an https address', async () => {
    const tokens = memoryTokens('t.1');
    const sent: string[] = [];
    const { client } = clientOf(
      {},
      {
        tokens,
        accessCode: 'k7mw-p3xd-9qht',
        capabilities: { ...CAPABILITIES, access_code: true },
        fetch: async (url, init) => {
          const headers = new Headers(init?.headers);
          const { protocol } = new URL(url);
          sent.push(`${protocol} ${headers.get('Authorization')} ${headers.get('x-access-code')}`);
          return refused(404);
        },
      },
      plainFiles,
    );
    await client.files.data('1').catch(() => undefined);
    await client.files.upload(new Blob(['x'])).catch(() => undefined);
    await client.me().catch(() => undefined);
    expect(sent).toEqual([
      'http: null null',
      'http: null null',
      'https: Bearer t.1 k7mw-p3xd-9qht',
    ]);
  });

  test('a secret is not sent to an http address that an https address names as the REST service', async () => {
    const asked: string[] = [];
    const client = await connect(URL_BASE, {
      tokens: memoryTokens('t.1'),
      fetch: async (url, init) => {
        asked.push(`${url} ${new Headers(init?.headers).get('Authorization')}`);
        if (url.endsWith('/capabilities')) return Response.json(CAPABILITIES);
        if (url.endsWith('/users/me')) return Response.json(OWN);
        return Response.json({ ...INFO, oprish_url: 'http://api.example.org' });
      },
    });
    clients.push(client);
    await client.me();
    expect(asked.at(-1)).toBe('http://api.example.org/users/me null');
    const signing = client.signIn({ username: 'ada', password: PASSWORD });
    const error = await signing.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(HearthError);
    expect(Bun.inspect(error)).not.toContain(PASSWORD);
    expect(asked.join()).not.toContain('/auth');
  });

  test('a secret is not sent to an instance that was found at http because nothing answered at https', async () => {
    const asked: string[] = [];
    const client = await connect('chat.example.org', {
      fetch: async (url) => {
        asked.push(url);
        if (url.startsWith('https:')) throw new TypeError('refused');
        if (url.endsWith('/capabilities')) return Response.json(CAPABILITIES);
        return Response.json({ ...INFO, oprish_url: 'http://chat.example.org' });
      },
    });
    clients.push(client);
    const signing = client.signIn({ username: 'ada', password: PASSWORD });
    await expect(signing).rejects.toBeInstanceOf(HearthError);
    expect(asked.join()).not.toContain('/auth');
  });

  test('a secret is sent to an http address that was written as one', async () => {
    const plain = { oprish_url: 'http://chat.example.org' };
    const { client } = clientOf({ 'POST /auth': signedIn('t.1') }, {}, plain);
    expect(await client.signIn({ username: 'ada', password: PASSWORD })).toMatchObject({
      token: 't.1',
    });
  });

  test.each<readonly [string, ClientOptions, Partial<InstanceInfo>]>([
    ['of the documented interface', { capabilities: undefined }, { version: '0.3.2' }],
    ['without accounts', { capabilities: { ...CAPABILITIES, features: ['history'] } }, {}],
  ])('a secret is not sent to a server %s', async (_what, options, info) => {
    const { client, asked } = clientOf({}, options, info);
    const account = { username: 'ada', email: 'ada@example.org', password: PASSWORD };
    for (const request of [
      () => client.signIn({ username: 'ada', password: PASSWORD }),
      () => client.register(account),
      () => client.resetPassword({ code: 'c', password: PASSWORD }),
    ]) {
      await expect(request()).rejects.toMatchObject({ feature: 'accounts' });
    }
    expect(asked).toEqual([]);
  });

  test('a secret does not follow a redirect', async () => {
    const { client, asked } = clientOf({ 'POST /auth': signedIn('t.1') });
    await client.signIn({ username: 'ada', password: PASSWORD });
    expect(asked.map(({ redirect }) => redirect)).toEqual(['error']);
  });
});

describe('[SK25] a request for which a person waits', () => {
  const headers = (used: number) => ({
    'X-RateLimit-Reset': '60000',
    'X-RateLimit-Max': '10',
    'X-RateLimit-Last-Reset': String(Date.now()),
    'X-RateLimit-Request-Count': String(used),
  });
  const credential = { username: 'ada', password: PASSWORD };

  function limited(used: number): Response {
    const data = { retry_after: 3_600_000 };
    return Response.json(
      { status: 429, message: 'No', data },
      { status: 429, headers: headers(used) },
    );
  }

  test('a request is not sent again after a refusal, and those after it do not wait for it', async () => {
    const { client, asked } = clientOf({ 'POST /auth': limited(3), 'POST /password-reset': {} });
    const error = await client.signIn(credential).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({ retryAfterMs: 3_600_000 });
    await client.requestPasswordReset('ada@example.org');
    expect(asked.map(({ line }) => line)).toEqual(['POST /auth', 'POST /password-reset']);
  });

  test('a request fails at once if its limit is used up for more than 5 seconds', async () => {
    const { client, asked } = clientOf({ 'POST /auth': limited(10) });
    for (const _attempt of [1, 2]) {
      await expect(client.signIn(credential)).rejects.toBeInstanceOf(RateLimitedError);
    }
    expect(asked).toHaveLength(1);
  });
});

test('[SK19] every function of accounts sends the request of its route and parses the answer', async () => {
  const { client, asked } = clientOf(
    {
      'PATCH /users/me': { ...OWN, display_name: 'Ada', factors: ['totp', 'later'] },
      'GET /users/by-name/ada': USER,
      'GET /sessions': [SESSION, { ...SESSION, id: '10', client: { name: 1 } }],
      'DELETE /sessions/10': {},
      'DELETE /sessions': {},
      'POST /users/me/totp': { secret: 's', uri: 'otpauth://x', recovery_codes: ['a', 'b'] },
      'DELETE /users/me/totp': {},
      'POST /users/me/email-code': {},
      'PUT /users/me/email-code/c': { ...OWN, email_verified: true },
      'POST /password-reset': {},
      'PUT /password-reset/c': {},
      'POST /users/me/export': { state: 'working', requested_at: 1, done: 0, total: 0 },
      'GET /users/me/export': { state: 'failed', requested_at: 1 },
      'DELETE /users/me/uploads/42': {},
    },
    { tokens: memoryTokens('t.1') },
  );
  const { sessions, totp } = client;
  const current_password = PASSWORD;
  const patched = await client.updateMe({ display_name: 'Ada', bio: null });
  expect(patched).toMatchObject({ display_name: 'Ada', factors: ['totp'] });
  expect(await client.userByName('ada')).toMatchObject(USER);
  expect(await sessions.list()).toMatchObject([SESSION, { id: '10', client: undefined }]);
  await sessions.end('10' as Id);
  await sessions.endOthers();
  expect(await totp.begin({ current_password })).toEqual({ secret: 's', uri: 'otpauth://x' });
  expect(await totp.confirm('123456')).toEqual(['a', 'b']);
  await totp.disable({ current_password, code: '123456' });
  await client.requestEmailCode();
  expect(await client.redeemEmailCode('c')).toMatchObject({ email_verified: true });
  await client.requestPasswordReset('ada@example.org');
  await client.resetPassword({ code: 'c', password: PASSWORD });
  expect(await client.requestExport()).toMatchObject({ state: 'working' });
  expect(await client.findExport()).toMatchObject({ state: 'failed' });
  await client.deleteUpload(ID);
  const own = 'Bearer t.1';
  expect(asked.map(({ line, authorization, body }) => [line, authorization, body])).toEqual([
    ['PATCH /users/me', own, { display_name: 'Ada', bio: null }],
    ['GET /users/by-name/ada', own, undefined],
    ['GET /sessions', own, undefined],
    ['DELETE /sessions/10', own, undefined],
    ['DELETE /sessions', own, undefined],
    ['POST /users/me/totp', own, { current_password }],
    ['POST /users/me/totp', own, { code: '123456' }],
    ['DELETE /users/me/totp', own, { current_password, code: '123456' }],
    ['POST /users/me/email-code', own, undefined],
    ['PUT /users/me/email-code/c', own, undefined],
    ['POST /password-reset', null, { email: 'ada@example.org' }],
    ['PUT /password-reset/c', null, { password: PASSWORD }],
    ['POST /users/me/export', own, undefined],
    ['GET /users/me/export', own, undefined],
    ['DELETE /users/me/uploads/42', own, undefined],
  ]);
});

test('[SK19] a name or an address that was typed is sent as what it is', () => {
  expect(identityOf('ada')).toEqual({ username: 'ada' });
  expect(identityOf(' ada@example.org ')).toEqual({ email: 'ada@example.org' });
});

describe('[SK16, SK17, SK19] on an instance', () => {
  let instance: TestInstance;
  beforeAll(async () => {
    instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  });
  afterAll(() => instance[Symbol.asyncDispose]());

  const connected = async (options: ClientOptions = {}) => {
    const client = await connect(instance.addresses.rest, options);
    clients.push(client);
    return client;
  };

  test('[SK20] what they upload has a key, with which everyone finds it', async () => {
    const client = await connected({ tokens: memoryTokens() });
    await client.register({ username: 'hopper', email: 'hopper@example.org', password: PASSWORD });
    const { files } = client;
    const data = await files.upload(new File(['good evening'], 'a.txt'));
    const { id, key } = data;
    expect(key).toMatch(/^[\da-f]{32}$/);
    const url = files.url(id, { key });
    expect(url).toBe(`${instance.addresses.files}/${id}?key=${key}`);
    expect([files.idOf(url), files.keyOf(url)]).toEqual([id, key]);
    expect([files.keyOf(files.url(id)), files.keyOf(`http://a.test/?key=${key}`)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(files.mediaUrl(id, { size: 96, key })).toEndWith(`/media/${id}?size=96&key=${key}`);
    expect(files.ownUrl(id, { key, download: true })).toEndWith(`/${id}/download?key=${key}`);
    const { files: others } = await connected();
    expect(await others.data(id, { key })).toEqual(data);
    for (const { body } of [await others.fetch(id, { key }), await others.media(id, { key })]) {
      expect(await new Response(body).text()).toBe('good evening');
    }
    for (const asked of [others.data(id), others.fetch(id), others.media(id)]) {
      expect(await asked.catch((error: unknown) => error)).toBeInstanceOf(NotFoundError);
    }
  });

  test('people register, sign in elsewhere, look at their sessions, end them and sign out', async () => {
    const tokens = memoryTokens();
    const desk = await connected({ tokens });
    const account = { username: 'Ada', email: 'ada@example.org', password: PASSWORD };
    const program = { name: 'Desk', platform: 'Linux' };
    const { user } = await desk.register({ ...account, client: program });
    const storage = { used: 0, limit: 1_000_000_000 };
    expect(await desk.me()).toEqual({ ...user, storage });
    expect(user).toMatchObject({ username: 'ada', email: 'ada@example.org', factors: [] });
    expect(await desk.register(account).catch((error: unknown) => error)).toMatchObject({
      code: 'taken',
      fieldName: 'email',
    });

    const phone = await connected();
    const wrong = phone.signIn({ username: 'ada', password: 'something else' });
    await expect(wrong).rejects.toMatchObject({ code: 'credentials_wrong' });
    await phone.signIn({ ...identityOf('ADA@example.org'), password: PASSWORD });
    expect(await phone.updateMe({ display_name: 'Ada Lovelace', bio: 'Analyst' })).toMatchObject({
      display_name: 'Ada Lovelace',
      bio: 'Analyst',
    });
    expect(await phone.updateMe({ bio: null })).not.toHaveProperty('bio');
    const guest = await connected();
    expect(await guest.userByName('ADA')).toEqual(await desk.user(user.id));
    expect(await guest.me().catch((error: unknown) => error)).toBeInstanceOf(UnauthorizedError);

    const sessions = await desk.sessions.list();
    expect(sessions.map(({ client, current }) => [client?.name, current])).toContainEqual([
      'Desk',
      true,
    ]);
    const former = tokens.read();
    await desk.sessions.renewToken();
    expect(tokens.read()).not.toBe(former);
    const refusals: unknown[] = [];
    phone.on('tokenRefused', ({ code }) => void refusals.push(code));
    await desk.sessions.endOthers();
    expect(await desk.sessions.list()).toHaveLength(1);
    await expect(phone.me()).rejects.toMatchObject({ code: 'token_ended' });
    expect(refusals).toEqual(['token_ended']);
    await phone.signIn({ username: 'ada', password: PASSWORD });
    const [other] = (await desk.sessions.list()).filter(({ current }) => current !== true);
    await desk.sessions.end(other?.id ?? ID);
    await expect(phone.me()).rejects.toMatchObject({ code: 'token_ended' });
    await desk.signOut();
    expect(tokens.read()).toBeUndefined();
    await expect(desk.me()).rejects.toBeInstanceOf(UnauthorizedError);
  });

  test('messages of people with an account wait for their own limit', async () => {
    const client = await connected({ author: 'eve' });
    const account = { username: 'eve', email: 'eve@example.org', password: PASSWORD };
    await client.send('as a guest');
    await client.register(account);
    const used = () =>
      (['message_create', 'message_send'] as const).map((name) => client.limits.state(name).used);
    expect(used()).toEqual([1, 0]);
    await client.send('as myself');
    expect(used()).toEqual([1, 1]);
  });
});

test('[AC9] a token that is more than a week old is renewed by one of the clients that share it', async () => {
  const clock = fakeClock(Date.now() - 8 * 86_400_000);
  await using instance = await startTestInstance({
    toml: `registration = "open"\n${GENEROUS_LIMITS}`,
    clock,
  });
  const { rest } = instance.addresses;
  const tokens = memoryTokens();
  await using first = await connect(rest, { tokens });
  await first.register({ username: 'ada', email: 'ada@example.org', password: PASSWORD });
  const old = await tokens.read();
  if (old === undefined) throw new Error('there is no token');
  await first.sessions.renewOldToken();
  const renewed = await tokens.read();
  expect(renewed).not.toBe(old);
  // As another window that has read the token before. The former token is accepted for a minute, and renews nothing.
  const late = memoryTokens(old);
  await using second = createClient(await first.rest.info(), { tokens: late });
  await second.sessions.renewOldToken();
  expect(await late.read()).toBe(old);
  expect((await first.me()).username).toBe('ada');
  // One that shares the storage uses the token that the first one has stored.
  const shared = { token: old, read: (refused?: string) => takenFrom(refused), write() {} };
  const takenFrom = (refused: string | undefined) => {
    if (refused === old) shared.token = renewed ?? '';
    return shared.token;
  };
  await using window = createClient(await first.rest.info(), { tokens: shared });
  await window.sessions.renewOldToken();
  expect(shared.token).toBe(renewed ?? '');
  // A program that runs for long connects again and again.
  const kept = memoryTokens(renewed);
  await using third = createClient(await first.rest.info(), { tokens: kept });
  await third.open();
  await until(async () => (await kept.read()) !== renewed);
});
