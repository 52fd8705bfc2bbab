import {
  ownUserSchema,
  sessionListSchema,
  signedInSchema,
  tokenSchema,
  userSchema,
} from '@hearth/protocol/schemas';
import { readError } from '@hearth/testing/clients/read-error';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';

const PASSWORD = 'correct horse battery';

let instance: TestInstance;
beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
});
afterAll(() => instance[Symbol.asyncDispose]());

interface Asked {
  readonly token?: string | undefined;
  readonly body?: unknown;
}

const ask = (method: string, path: string, { token, body }: Asked = {}) =>
  fetch(`${instance.addresses.rest}${path}`, {
    method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

async function answered(method: string, path: string, asked?: Asked): Promise<unknown> {
  const response = await ask(method, path, asked);
  expect([method, path, response.status]).toEqual([method, path, 200]);
  return response.json();
}

async function refused(method: string, path: string, asked?: Asked) {
  return readError(await ask(method, path, asked));
}

async function registered(username: string) {
  const body = { username, email: `${username}@example.org`, password: PASSWORD };
  return signedInSchema.strict().parse(await answered('POST', '/users', { body }));
}

const signIn = async (username: string) =>
  signedInSchema
    .strict()
    .parse(await answered('POST', '/auth', { body: { username, password: PASSWORD } }));

describe('[AC13] over the network', () => {
  test('people register, sign in, read their account and change what they say of themselves', async () => {
    const { user, token } = await registered('ada');
    const me = async () =>
      ownUserSchema.strict().parse(await answered('GET', '/users/me', { token }));
    const storage = { used: 0, limit: 1_000_000_000 };
    expect(await me()).toEqual({ ...user, storage });
    const change = {
      display_name: ' Ada Lovelace ',
      bio: 'Analyst',
      settings: { theme: 'dark', privacy: { lists: 'friends' } },
    };
    const changed = ownUserSchema
      .strict()
      .parse(await answered('PATCH', '/users/me', { token, body: change }));
    expect(changed).toMatchObject({ ...change, display_name: 'Ada Lovelace', version: 2 });
    const cleared = await answered('PATCH', '/users/me', {
      token,
      body: { bio: null, settings: { theme: null } },
    });
    expect(cleared).toMatchObject({
      display_name: 'Ada Lovelace',
      settings: { privacy: { lists: 'friends' } },
      version: 3,
    });
    expect(cleared).not.toHaveProperty('bio');
    expect(await me()).toEqual({ ...ownUserSchema.parse(cleared), storage });
    expect((await signIn('ADA')).user).toEqual(ownUserSchema.parse(cleared));
  });

  test.each([
    ['display_name', 'a\nb'],
    ['display_name', ' '],
    ['bio', 'x'.repeat(501)],
    ['bio', 'a\0'],
    ['settings', { a: 'x'.repeat(16_384) }],
    ['settings', []],
  ])('a wrong %s is refused by its name, and nothing changes', async (field, value) => {
    const { token } = await signIn('ada');
    const before = await answered('GET', '/users/me', { token });
    const body = { pronouns: 'she/her', [field]: value };
    expect(await refused('PATCH', '/users/me', { token, body })).toMatchObject({
      status: 422,
      data: { field_name: field },
    });
    expect(await answered('GET', '/users/me', { token })).toEqual(before);
  });

  test('settings that are too many together are refused', async () => {
    const { token } = await registered('eve');
    const half = { a: 'x'.repeat(9_000) };
    await answered('PATCH', '/users/me', { token, body: { settings: half } });
    const error = await refused('PATCH', '/users/me', {
      token,
      body: { settings: { b: 'x'.repeat(9_000) } },
    });
    expect(error).toMatchObject({ status: 422, data: { field_name: 'settings' } });
    expect(await answered('GET', '/users/me', { token })).toMatchObject({ settings: half });
  });

  test('everyone finds a person by id and by name in any case, and nothing private of them', async () => {
    const { user } = await signIn('ada');
    const found = await answered('GET', `/users/${user.id}`);
    expect(await answered('GET', '/users/by-name/ADA')).toEqual(found);
    expect(userSchema.strict().parse(found)).toMatchObject({ id: user.id, username: 'ada' });
    for (const path of ['/users/1', '/users/x', '/users/by-name/nobody', '/users/by-name/%00']) {
      expect([path, (await refused('GET', path)).status]).toEqual([path, 404]);
    }
  });

  test('sessions are listed, renewed and ended', async () => {
    const { token, session } = await registered('bob');
    const other = await signIn('bob');
    const list = async (of: string) =>
      sessionListSchema.parse(await answered('GET', '/sessions', { token: of }));
    expect((await list(token)).map(({ id, current }) => [id, current])).toEqual([
      [other.session.id, undefined],
      [session.id, true],
    ]);
    const renewed = tokenSchema
      .strict()
      .parse(await answered('POST', '/sessions/current/token', { token }));
    expect(await list(renewed.token)).toHaveLength(2);
    await answered('DELETE', `/sessions/${other.session.id}`, { token: renewed.token });
    expect(await refused('GET', '/users/me', { token: other.token })).toMatchObject({
      status: 401,
      data: { code: 'token_ended' },
    });
    const ended = await refused('DELETE', `/sessions/${other.session.id}`, {
      token: renewed.token,
    });
    expect(ended.status).toBe(404);
    const third = await signIn('bob');
    await answered('DELETE', '/sessions', { token: third.token });
    expect(await list(third.token)).toHaveLength(1);
    await answered('DELETE', '/sessions/current', { token: third.token });
    expect((await refused('GET', '/sessions', { token: third.token })).status).toBe(401);
  });

  test('a route that needs an account refuses everyone else', async () => {
    for (const [method, path] of [
      ['GET', '/users/me'],
      ['PATCH', '/users/me'],
      ['GET', '/sessions'],
      ['DELETE', '/sessions'],
      ['DELETE', '/sessions/current'],
      ['DELETE', '/sessions/1'],
      ['POST', '/sessions/current/token'],
    ] as const) {
      const error = await refused(method, path, method === 'GET' ? {} : { body: {} });
      expect([method, path, error]).toMatchObject([method, path, { status: 401 }]);
    }
  });
});

test('[AC10] a wrong token is refused by every route of the REST and the file service', async () => {
  const asked: string[] = [];
  for (const service of [instance.addresses.rest, instance.addresses.files]) {
    const { paths } = (await (await fetch(`${service}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    for (const [path, methods] of Object.entries(paths)) {
      for (const method of Object.keys(methods)) {
        const response = await fetch(service + path.replaceAll(/\{\w+\}/g, '1'), {
          method: method.toUpperCase(),
          headers: { authorization: 'Bearer nonsense' },
        });
        expect([method, path, response.status]).toEqual([method, path, 401]);
        asked.push(`${method} ${path}`);
      }
    }
  }
  expect(asked).toEqual(expect.arrayContaining(['get /', 'post /messages', 'get /{id}']));
});
