import { signedInSchema } from '@hearth/protocol/schemas';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { readHistory, searchContents, untilFound } from '@hearth/testing/clients/history-client';
import { ProfileClient, resumeQuery } from '@hearth/testing/clients/profile-client';
import { readError } from '@hearth/testing/clients/read-error';
import { asOwner } from '@hearth/testing/instances/as-owner';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { OWNER } from '../src/actor.ts';
import {
  pause,
  resume,
  setSlowMode,
} from '../src/features/accounts/moderation/owner-restrictions.ts';

const OPEN = `registration = "open"\n${GENEROUS_LIMITS}`;
const THUMB = encodeURIComponent('👍');

interface Asked {
  readonly token?: string;
  readonly body?: unknown;
}

function ask(
  { addresses }: Pick<TestInstance, 'addresses'>,
  [method, path]: readonly [method: string, path: string],
  { token, body }: Asked = {},
): Promise<Response> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  return fetch(addresses.rest + path, init);
}

async function register(instance: TestInstance, username: string) {
  const password = 'correct horse battery';
  const body = { username, email: `${username}@example.org`, password };
  return signedInSchema.parse(await (await ask(instance, ['POST', '/users'], { body })).json());
}

describe('the lobby of an instance with accounts', () => {
  let instance: TestInstance;
  let ada: Awaited<ReturnType<typeof register>>;

  beforeAll(async () => {
    instance = await startTestInstance({ toml: OPEN });
    ada = await register(instance, 'ada');
  });
  afterAll(() => instance[Symbol.asyncDispose]());

  test('[LA1] messages are sent with their user to profile 1 and in the history, and the documented message to others', async () => {
    using client = await ProfileClient.greeted(instance);
    const documented = await GatewayClient.connect(instance.addresses.gateway);
    const body = { author: 'x', content: 'good evening' };
    const answer = await ask(instance, ['POST', '/messages'], { token: ada.token, body });
    const user = { id: ada.user.id, username: 'ada' };
    const message = { id: expect.any(String), author: 'ada', content: 'good evening', user };
    const whole = { ...message, created_at: expect.any(Number) };
    expect(await answer.json()).toEqual(whole);
    await client.raw.until(() => client.ops.includes('MESSAGE_CREATE'));
    expect(client.events.at(-1)?.d).toEqual(whole);
    expect(await readHistory(instance, '?limit=1')).toEqual([whole]);
    await documented.until(() => documented.received.length > 0);
    expect(documented.received).toEqual([
      '{"op":"MESSAGE_CREATE","d":{"author":"ada","content":"good evening"}}',
    ]);
    for (const invalid of [{}, { content: '' }, { content: 'a', nonce: 7 }]) {
      const refused = await ask(instance, ['POST', '/messages'], {
        token: ada.token,
        body: invalid,
      });
      expect((await readError(refused)).status).toBe(422);
    }
    // Without a token, the documented fields are required, and the first one is named.
    const missing = await readError(await ask(instance, ['POST', '/messages'], { body: {} }));
    expect(missing.data).toMatchObject({ field_name: 'author' });
  });

  test('[LA3] a guest with the name of an account, or with one that looks like it, is refused', async () => {
    const post = (author: string) =>
      ask(instance, ['POST', '/messages'], { body: { author, content: 'it is me' } });
    expect((await post('grace')).status).toBe(200);
    await register(instance, 'grace');
    for (const author of ['ada', 'Ada', 'αda', 'a\u200Bda', ' ada ', 'grace', 'GRACE']) {
      const { status, data } = await readError(await post(author));
      expect([author, status, data]).toEqual([
        author,
        422,
        { field_name: 'author', error: 'is the name of an account, or looks like one' },
      ]);
    }
    for (const author of ['adam', 'a da', 'eve']) expect((await post(author)).status).toBe(200);
  });

  test('[LA3][LA3a][ME5] a guest whose name as it is written is taken for one of an account is refused, and changes no other name', async () => {
    const post = (author: string) =>
      ask(instance, ['POST', '/messages'], { body: { author, content: 'it is me' } });
    await register(instance, 'cleopatra');
    for (const author of [
      'cIeopatra',
      'c\u0406eopatra',
      'C\u2160EOPATRA',
      '\u03f2leopatra',
      '\ufff9cleo\ufffcpatra',
      'cleo\u2800patra',
      'cleo\u0007patra',
      'cleo\uffffpatra',
    ]) {
      const { data } = await readError(await post(author));
      expect([author, data]).toMatchObject([author, { field_name: 'author' }]);
    }
    for (const author of ['a\u0007b', '\u200b\u2800', 'cieopatra', '\ufffcx']) {
      const answer = await post(author);
      expect(await answer.json()).toEqual({ author, content: 'it is me' });
    }
  });

  test('[LA6][LA7][LA9][LA11] changes, reactions and deletions are sent in one order, and the documented gateway gets nothing of them', async () => {
    using client = await ProfileClient.greeted(instance);
    const [hello] = client.payloads;
    const documented = await GatewayClient.connect(instance.addresses.gateway);
    const { token } = ada;
    const posted = await ask(instance, ['POST', '/messages'], { token, body: { content: 'one' } });
    const { id } = (await posted.json()) as { readonly id: string };
    const path = `/messages/${id}`;
    const change = await ask(instance, ['PATCH', path], { token, body: { content: 'two' } });
    expect(await change.json()).toMatchObject({ id, content: 'two', version: 2 });
    const reaction = await ask(instance, ['PUT', `${path}/reactions/${THUMB}`], { token });
    expect(await reaction.json()).toEqual({ emoji: '👍', count: 1, mine: true });
    const people = await ask(instance, ['GET', `${path}/reactions/${THUMB}`]);
    expect(await people.json()).toEqual([{ id: ada.user.id, username: 'ada' }]);
    const taken = await ask(instance, ['DELETE', `${path}/reactions/${THUMB}`], { token });
    expect(await taken.json()).toEqual({ emoji: '👍', count: 0 });
    await untilFound(instance, 'two', ['two']);
    expect(await searchContents(instance, 'one')).toEqual([]);
    expect((await ask(instance, ['DELETE', path], { token })).status).toBe(200);
    await client.raw.until(() => client.ops.includes('MESSAGE_DELETE'));
    expect(client.ops).toEqual([
      'HELLO',
      'MESSAGE_CREATE',
      'MESSAGE_UPDATE',
      'REACTION_ADD',
      'REACTION_REMOVE',
      'MESSAGE_DELETE',
    ]);
    // A client that comes back is sent nothing of the text.
    if (hello?.op !== 'HELLO') throw new Error('no HELLO');
    using late = await ProfileClient.greeted(instance, resumeQuery(hello.d));
    await late.raw.until(() => late.ops.filter((op) => op === 'MESSAGE_DELETE').length === 3);
    expect(late.raw.texts.join('')).not.toContain('two');
    await documented.ping();
    expect(documented.received.filter((text) => !text.includes('PONG'))).toEqual([
      '{"op":"MESSAGE_CREATE","d":{"author":"ada","content":"one"}}',
    ]);
  });

  test('[LA5] the lobby is paused and slowed down for people with an account, too', async () => {
    const { token } = ada;
    const post = () => ask(instance, ['POST', '/messages'], { token, body: { content: 'a' } });
    const { id } = (await (await post()).json()) as { readonly id: string };
    const path = `/messages/${id}`;
    const status = async (method: string, at = path, body?: unknown) =>
      (await ask(instance, [method, at], { token, body })).status;
    await asOwner(instance, (ctx) => setSlowMode(ctx, OWNER, 600));
    await until(async () => (await post()).status === 429);
    expect(await status('PATCH', path, { content: 'b' })).toBe(200);
    await asOwner(instance, (ctx) => setSlowMode(ctx, OWNER, 0));
    await asOwner(instance, (ctx) => pause(ctx, OWNER, { what: ['posting'], term: {} }));
    await until(async () => (await post()).status === 403);
    expect(await status('PATCH', path, { content: 'c' })).toBe(403);
    expect(await status('PUT', `${path}/reactions/${THUMB}`)).toBe(403);
    expect(await status('DELETE')).toBe(200);
    await asOwner(instance, (ctx) => resume(ctx, OWNER, ['posting']));
  });

  test('[LA16] one message is created for a nonce with a token, and one that cannot be stored is refused', async () => {
    const post = async (nonce: string, token?: string) => {
      const body = { author: 'guest', content: `with ${nonce}`, nonce };
      return (await ask(instance, ['POST', '/messages'], { body, ...(token && { token }) })).json();
    };
    const [first, second] = await Promise.all([post('n', ada.token), post('n', ada.token)]);
    expect(second).toEqual(first);
    for (let time = 0; time < 2; time += 1) await post('n');
    const kept = await readHistory(instance, '?limit=100');
    const contents = kept.map(({ author, content }) => `${author} ${content}`);
    expect(contents.filter((content) => content.endsWith('with n'))).toEqual([
      'guest with n',
      'guest with n',
      'ada with n',
    ]);
    expect(await post('\0', ada.token)).toMatchObject({ data: { field_name: 'nonce' } });
  });

  test('[LA14] requests of people with an account count in limits of their own', async () => {
    const limits =
      'react = { reset_after = 60, limit = 1 }, write = { reset_after = 60, limit = 2 }';
    const toml = `registration = "open"\n[oprish]\nrate_limits = { ${limits} }`;
    await using own = await startTestInstance({ toml });
    const { token } = await register(own, 'ada');
    const posted = await ask(own, ['POST', '/messages'], { token, body: { content: 'a' } });
    const { id } = (await posted.json()) as { readonly id: string };
    const path = `/messages/${id}`;
    const most = async (method: string, at: string, body?: unknown) =>
      (await ask(own, [method, at], { token, body })).headers.get('x-ratelimit-max');
    expect(posted.headers.get('x-ratelimit-max')).toBe('10');
    expect(await most('PATCH', path, { content: 'b' })).toBe('2');
    expect(await most('PUT', `${path}/reactions/${THUMB}`)).toBe('1');
    expect(await most('GET', `${path}/reactions/${THUMB}`)).toBe('20');
    expect(await most('DELETE', path)).toBe('2');
  });
});

test('[LA3] an owner can allow guests to use the names of accounts', async () => {
  const toml = OPEN.replace('[oprish.rate_limits]', '[oprish]\nreserve_names = false\n$&');
  await using instance = await startTestInstance({ toml });
  await register(instance, 'ada');
  const body = { author: 'ada', content: 'it is me' };
  expect((await ask(instance, ['POST', '/messages'], { body })).status).toBe(200);
});

describe('[LA4][LA4a] a lobby that is closed', () => {
  const reads = ['/messages', '/messages?around=1', '/search?q=a', '/online'];

  test('to guests can be read and used with a token only, and sends guests nothing', async () => {
    await using instance = await startTestInstance({ toml: `lobby = "accounts"\n${OPEN}` });
    const { token } = await register(instance, 'ada');
    using client = await ProfileClient.greeted(instance, 'v=1&online=true&epoch=E&s=1');
    const documented = await GatewayClient.connect(instance.addresses.gateway);
    const hello = { epoch: '', s: 0, recovered: false };
    expect(client.payloads).toMatchObject([{ op: 'HELLO', d: hello }]);
    const body = { author: 'eve', content: 'good evening' };
    for (const path of reads) {
      expect([path, (await ask(instance, ['GET', path])).status]).toEqual([path, 401]);
      expect([path, (await ask(instance, ['GET', path], { token })).status]).toEqual([path, 200]);
    }
    expect((await ask(instance, ['POST', '/messages'], { body })).status).toBe(401);
    expect((await ask(instance, ['POST', '/messages'], { token, body })).status).toBe(200);
    for (const connected of [documented, await GatewayClient.connect(instance.addresses.gateway)])
      await connected.ping();
    expect(documented.received).toEqual(['{"op":"PONG"}']);
    client.raw.sendText('{"op":"PING"}');
    await client.raw.until(() => client.ops.includes('PONG'));
    expect(client.ops).toEqual(['HELLO', 'PONG']);
    const { lobby } = (await (await ask(instance, ['GET', '/capabilities'])).json()) as {
      readonly lobby: string;
    };
    expect(lobby).toBe('accounts');
  });

  test('to everyone is not there', async () => {
    await using instance = await startTestInstance({ toml: `lobby = "off"\n${OPEN}` });
    const { token } = await register(instance, 'ada');
    for (const path of reads) {
      expect([path, (await ask(instance, ['GET', path])).status]).toEqual([path, 404]);
      expect([path, (await ask(instance, ['GET', path], { token })).status]).toEqual([path, 404]);
    }
    const body = { author: 'eve', content: 'good evening' };
    expect((await ask(instance, ['POST', '/messages'], { body })).status).toBe(404);
    expect((await ask(instance, ['POST', '/messages'], { token, body })).status).toBe(404);
    expect((await ask(instance, ['PUT', `/messages/1/reactions/${THUMB}`], { token })).status).toBe(
      404,
    );
  });
});
