import {
  connect,
  createClient,
  ForbiddenError,
  HearthError,
  type ClientOptions,
  type WebSocketConstructor,
} from '@hearth/sdk';
import { startDocumentedServer } from '@hearth/testing/clients/documented-server';
import { asOwner } from '@hearth/testing/instances/as-owner';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { OWNER } from '../../server/src/actor.ts';
import { banClients, unban } from '../../server/src/features/accounts/moderation/bans.ts';
import { parseClientRange } from '../../server/src/client-range.ts';
import {
  pause,
  resume,
  setAccessCode,
} from '../../server/src/features/accounts/moderation/owner-restrictions.ts';

const CODE = 'k7mw-p3xd-9qht';

let instance: TestInstance;

beforeAll(async () => {
  instance = await startTestInstance();
  await asOwner(instance, (ctx) => setAccessCode(ctx, OWNER, CODE));
  await until(async () => {
    const answer = await fetch(`${instance.addresses.rest}/messages`);
    return answer.status === 403;
  });
});

afterAll(() => instance[Symbol.asyncDispose]());

/** The requests and connections that a client makes, as the paths and the codes that it sends. */
function recording() {
  const requests: string[] = [];
  const offers: (readonly string[])[] = [];
  class RecordingSocket extends WebSocket {
    constructor(url: string, protocols: string[] = []) {
      super(url, protocols);
      offers.push(protocols);
    }
  }
  // Guarantee: it is a WebSocket.
  const Recording = RecordingSocket as unknown as WebSocketConstructor;
  const record: NonNullable<ClientOptions['fetch']> = (url, init) => {
    const code = new Headers(init?.headers).get('x-access-code');
    requests.push(`${init?.method ?? 'GET'} ${new URL(url).pathname} ${code ?? 'no code'}`);
    return fetch(url, init);
  };
  return { requests, offers, fetch: record, WebSocket: Recording };
}

test('[MO21] the code goes with messages, uploads and the connection, and not with downloads', async () => {
  const { requests, fetch } = recording();
  await using client = await connect(instance.addresses.rest, { accessCode: () => CODE, fetch });
  expect(client.capabilities?.access_code).toBe(true);
  await client.open();
  const received = client.messages()[Symbol.asyncIterator]().next();
  await client.rest.createMessage({ author: 'ada', content: 'hello' });
  expect(await received).toMatchObject({ value: { content: 'hello' } });
  await client.rest.listMessages({ limit: 1 });
  await client.rest.search({ text: 'hello' });
  await client.rest.countOnline();
  const { id } = await client.files.upload(new Blob(['a file']));
  await client.files.data(id);
  expect([...new Set(requests)].toSorted()).toEqual(
    [
      'GET / no code',
      'GET /capabilities no code',
      `POST /messages ${CODE}`,
      `GET /messages ${CODE}`,
      `GET /search ${CODE}`,
      `GET /online ${CODE}`,
      `POST /attachments ${CODE}`,
      `GET /${id}/data no code`,
    ].toSorted(),
  );
});

test('[MO26] a client knows what is paused while it is connected', async () => {
  await using client = await connect(instance.addresses.rest, { accessCode: CODE });
  const seen: unknown[] = [];
  client.on('pauses', ({ pauses }) => void seen.push(pauses));
  expect(client.pauses).toBeUndefined();
  await client.open();
  await until(async () => client.pauses !== undefined);
  const uploads = { until: Date.now() + 3_600_000, reason: 'the disk is full' };
  await asOwner(instance, (ctx) => pause(ctx, OWNER, { what: ['uploads'], term: uploads }));
  await until(async () => client.pauses?.uploads !== undefined);
  await asOwner(instance, (ctx) => resume(ctx, OWNER, ['uploads']));
  await until(async () => client.pauses?.uploads === undefined);
  await client.close();
  expect(client.pauses).toBeUndefined();
  expect(seen).toEqual([{}, { uploads }, {}, undefined]);
});

describe('[MO21] the code is not sent', () => {
  test('to a documented server, whose gateway accepts no subprotocol', async () => {
    await using server = startDocumentedServer();
    const { requests, offers, ...network } = recording();
    await using client = await connect(server.url, { accessCode: CODE, ...network });
    await client.open();
    await client.send({ author: 'ada', content: 'hello' });
    await client.files.upload(new Blob(['a file']));
    expect(offers).toEqual([[]]);
    expect(requests).toEqual([
      'GET / no code',
      'POST /messages no code',
      'POST /attachments no code',
    ]);
  });

  test('to an instance that has none, until its owner sets one: then the connection goes on with it', async () => {
    await using open = await startTestInstance();
    const { requests, offers, ...network } = recording();
    await using client = await connect(open.addresses.rest, { accessCode: CODE, ...network });
    const messages = client.messages();
    await client.open();
    await client.send({ author: 'ada', content: 'before' });
    expect(await messages.next()).toMatchObject({ value: { content: 'before' } });
    expect([offers, requests.join()]).toEqual([[[]], expect.not.stringContaining(CODE)]);
    await asOwner(open, (ctx) => setAccessCode(ctx, OWNER, CODE));
    await until(() => Promise.resolve(offers.length === 2));
    await client.open();
    await client.send({ author: 'ada', content: 'after' });
    expect(await messages.next()).toMatchObject({ value: { content: 'after' } });
    expect(offers.map(({ length }) => length)).toEqual([0, 2]);
    expect(requests.at(-1)).toBe(`POST /messages ${CODE}`);
  });
});

describe('[MO21] a client that was made without asking the instance', () => {
  const message = { author: 'ada', content: 'hello' };

  async function made(options: ClientOptions) {
    const { info, capabilities } = await connect(instance.addresses.rest);
    const { requests, fetch } = recording();
    const { access_code: _code, ...stale } = capabilities ?? {};
    return { client: createClient(info, { ...options, fetch }), requests, stale };
  }

  test('the client asks before it sends the code', async () => {
    const { client, requests } = await made({ accessCode: CODE });
    await using _client = client;
    await Promise.all([client.send(message), client.rest.listMessages({ limit: 1 })]);
    expect(requests.toSorted()).toEqual(
      ['GET /capabilities no code', `POST /messages ${CODE}`, `GET /messages ${CODE}`].toSorted(),
    );
  });

  test('the client does not ask if it has no code', async () => {
    const { client, requests } = await made({ accessCode: () => undefined });
    await using _client = client;
    await expect(client.send(message)).rejects.toBeInstanceOf(ForbiddenError);
    expect(requests).toEqual(['POST /messages no code']);
  });

  test('the client sends a request again with the code if what it knew was out of date', async () => {
    const { stale } = await made({});
    // Guarantee: it only lacks an optional field.
    const capabilities = stale as ClientOptions['capabilities'];
    const { client, requests } = await made({ accessCode: CODE, capabilities });
    await using _client = client;
    await Promise.all([client.send(message), client.files.upload(new Blob(['a file']))]);
    expect(requests.toSorted()).toEqual(
      ['POST /attachments', 'POST /messages'].flatMap((each) => [
        `${each} ${CODE}`,
        `${each} no code`,
      ]),
    );
    await client.open();
  });
});

test('[MO21] connect fails if the code that is needed cannot be sent', async () => {
  const connecting = connect(instance.addresses.rest, { accessCode: 'short' });
  const error = await connecting.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(HearthError);
  expect(error).toMatchObject({ message: expect.stringContaining('no access code has') });
  await using server = startDocumentedServer();
  await using _client = await connect(server.url, { accessCode: 'short' });
});

test('[MO8, MO21] without the code or under a ban, requests and the connection fail and say why', async () => {
  await using stranger = await connect(instance.addresses.rest);
  const refused = await stranger.rest.listMessages({ limit: 1 }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ForbiddenError);
  expect(refused).toMatchObject({ code: 'access_code', untilMs: undefined, reason: undefined });
  await expect(stranger.open()).rejects.toMatchObject({ reason: 'access_code' });
  expect(stranger.connection).toEqual({ state: 'closed', reason: 'access_code' });

  await using member = await connect(instance.addresses.rest, { accessCode: CODE });
  await member.open();
  const { promise: closed, resolve } = Promise.withResolvers<unknown>();
  member.on('connection', (state) => state.state === 'closed' && resolve(state));
  const term = { until: Date.now() + 3_600_000, reason: 'spam' };
  await asOwner(instance, async (ctx) => {
    const range = parseClientRange('127.0.0.1');
    if (range !== undefined) await banClients(ctx, OWNER, { range, term });
  });
  expect(await closed).toEqual({ state: 'closed', reason: 'banned', ban: term });
  await expect(member.open()).rejects.toMatchObject({ reason: 'banned', ban: term });
  await using banned = await connect(instance.addresses.rest, { accessCode: CODE });
  await expect(
    banned.rest.createMessage({ author: 'ada', content: 'hello' }),
  ).rejects.toMatchObject({ code: 'banned', untilMs: term.until, reason: 'spam' });
  await asOwner(instance, (ctx) => unban(ctx, OWNER, '127.0.0.1'));
});
