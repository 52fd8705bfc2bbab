import { describe, expect, test } from 'bun:test';
import { connect, HistoryUnavailableError, OverflowError } from '../src/index.ts';
import {
  startDocumentedServer,
  type DocumentedServer,
} from '@hearth/testing/clients/documented-server';
import { isCurrent, witnessOf } from '@hearth/testing/clients/witness';

const MESSAGE = { author: 'ada', content: 'good evening' };

/** Requests that a client which knows only the documentation would not make. */
function strangers({ seen }: DocumentedServer): readonly string[] {
  const known =
    /^(GET \/|GET \/rate_limits|POST \/messages|POST \/attachments|GET \/[0-9]+(\/data|\/download)?|CONNECT \/|PING)$/;
  return seen.filter((line) => !known.test(line));
}

describe('with a server that has only the documented interface', () => {
  test('everything works, and no other request is made', async () => {
    await using server = startDocumentedServer();
    await using client = await connect(server.url);
    expect(client.isHearth).toBe(false);
    const messages = client.messages();
    await client.open();
    expect(client.connection).toEqual({ state: 'open', profile: 0, isCurrent: true });

    expect(await client.send({ ...MESSAGE, nonce: 'mine' })).toEqual(MESSAGE);
    expect(server.bodies).toEqual([MESSAGE]);
    expect<unknown>(await messages.next()).toEqual({ done: false, value: MESSAGE });

    expect((await client.rest.rateLimits()).oprish.rate_limits.limit).toBe(10);
    const file = await client.files.upload(new File(['hello'], 'ä.txt'), { spoiler: true });
    expect(file).toEqual({
      id: '1',
      name: 'ä.txt',
      bucket: 'attachments',
      metadata: { type: 'other' },
    });
    expect(await client.files.data('1')).toEqual(file);
    const { body } = await client.files.fetch('1');
    expect(await new Response(body).text()).toBe('hello');
    expect(client.limits.state('message_create')).toMatchObject({ limit: undefined, waiting: 0 });
    expect(strangers(server)).toEqual([]);
  });

  test('the history is refused without a request', async () => {
    await using server = startDocumentedServer();
    await using client = await connect(server.url);
    const error = await client.rest.listMessages().catch((reason) => reason);
    expect(error).toBeInstanceOf(HistoryUnavailableError);
    expect(server.seen).toEqual(['GET /']);
  });

  test('a lost connection is a gap, reported once, and messages go on after it', async () => {
    await using server = startDocumentedServer();
    await using client = await connect(server.url, { random: () => 0 });
    const witness = witnessOf(client);
    await client.open();
    await client.send(MESSAGE);
    await witness.until(() => witness.contents.length === 1);
    server.closeAll(1011, 'Server error');
    await witness.until(() => witness.gaps.length === 1);
    expect(witness.states.map(({ state }) => state)).toContain('waiting');
    expect(witness.states.find(({ state }) => state === 'waiting')).toMatchObject({
      attempt: 1,
      reason: 'server_error',
    });
    await witness.until(() => isCurrent(client));
    await client.send({ ...MESSAGE, content: 'again' });
    await witness.until(() => witness.contents.length === 2);
    expect(witness.gaps).toHaveLength(1);
    const [gap] = witness.gaps;
    expect(gap?.afterId).toBeUndefined();
    expect(gap?.untilMs).toBeGreaterThanOrEqual(gap?.fromMs ?? Infinity);
    expect(strangers(server)).toEqual([]);
  });

  test('payloads beyond the interface are ignored', async () => {
    await using server = startDocumentedServer();
    await using client = await connect(server.url);
    const witness = witnessOf(client);
    await client.open();
    for (const text of ['', 'null', '[]', '{"op":"TYPING"}', '{"op":7}', 'not JSON', '{}']) {
      server.push(text);
    }
    expect(witness.gaps).toEqual([]);
    const long = 'x'.repeat(100_000);
    server.push(JSON.stringify({ op: 'MESSAGE_CREATE', d: { author: '', content: long, id: 7 } }));
    await witness.until(() => witness.messages.length === 1);
    expect<unknown>(witness.messages).toEqual([{ author: '', content: long }]);
    server.push('{"op":"MESSAGE_CREATE","d":{"author":"somebody"}}');
    await witness.until(() => witness.gaps.length === 1);
    expect(client.connection.state).toBe('open');
  });

  test.each([
    ['says that it is Hearth, and answers our PING first', {}],
    ['sends a message first', { isMute: true }],
  ])('a gateway that %s is a documented one', async (_what, options) => {
    await using server = startDocumentedServer({
      ...options,
      isExtended: true,
      answer: (request) => (request.url.includes('/messages?') ? Response.json([]) : undefined),
    });
    await using client = await connect(server.url);
    expect(client.isHearth).toBe(true);
    const witness = witnessOf(client);
    const opened = client.open();
    if ('isMute' in options) {
      while (!server.seen.includes('PING')) await new Promise((resolve) => setImmediate(resolve));
      server.push(JSON.stringify({ op: 'MESSAGE_CREATE', d: MESSAGE }));
    }
    await opened;
    expect(client.connection).toEqual({ state: 'open', profile: 0, isCurrent: true });
    if (!('isMute' in options)) server.push(JSON.stringify({ op: 'MESSAGE_CREATE', d: MESSAGE }));
    await witness.until(() => witness.messages.length === 1);
    expect<unknown>(witness.messages).toEqual([MESSAGE]);
  });

  test('its addresses may be a host and a port', async () => {
    await using server = startDocumentedServer();
    const { host } = new URL(server.url);
    const fetch = async (url: string, init?: RequestInit) => {
      const answer = await globalThis.fetch(url, init);
      const bare = { oprish_url: host, effis_url: host, pandemonium_url: host };
      return Response.json({ ...(await answer.json()), ...bare });
    };
    await using client = await connect(host, { fetch });
    expect(client.files.url('1')).toBe(`${server.url}/1`);
    await client.open();
    expect(client.connection.state).toBe('open');
  });

  test('its addresses may have a path, and its answers may lack newer fields', async () => {
    await using server = startDocumentedServer({
      path: '/deep/api',
      info: { version: undefined, description: undefined },
    });
    await using client = await connect(`${server.url}/`);
    expect(client.info).toMatchObject({ version: '', description: null });
    await client.open();
    expect(await client.send(MESSAGE)).toEqual(MESSAGE);
    expect(server.seen).toEqual(['GET /deep/api/', 'CONNECT /deep/api', 'POST /deep/api/messages']);
  });
});

test('a reader that is too slow gets an OverflowError and does not hold up others', async () => {
  await using server = startDocumentedServer();
  await using client = await connect(server.url);
  const witness = witnessOf(client);
  const slow = client.messages({ mostBuffered: 2 });
  const quick = client.messages({ mostBuffered: 3 });
  await client.open();
  for (const content of ['1', '2', '3']) {
    server.push(JSON.stringify({ op: 'MESSAGE_CREATE', d: { author: 'ada', content } }));
  }
  await witness.until(() => witness.messages.length === 3);
  expect(await slow.next().catch((error) => error)).toBeInstanceOf(OverflowError);
  expect(await slow.next()).toEqual({ done: true, value: undefined });
  const read = [await quick.next(), await quick.next(), await quick.next()];
  expect(read.map(({ value }) => value.content)).toEqual(['1', '2', '3']);
});
