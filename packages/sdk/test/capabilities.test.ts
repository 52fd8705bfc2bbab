import { FEATURES } from '@hearth/protocol';
import {
  startDocumentedServer,
  type DocumentedServer,
  type DocumentedServerOptions,
} from '@hearth/testing/clients/documented-server';
import { isCurrent, witnessOf } from '@hearth/testing/clients/witness';
import { startTestInstance } from '@hearth/testing/instances/test-instance';
import { manualClock } from '@hearth/testing/manual-clock';
import { expect, test } from 'bun:test';
import {
  connect,
  createClient,
  FeatureUnavailableError,
  firstIdAt,
  HistoryUnavailableError,
  type Client,
} from '../src/index.ts';

const MESSAGE = { author: 'ada', content: 'x', nonce: 'mine' };

/** A server whose version has build metadata, and which answers this to `GET /capabilities`. */
function claiming(
  answer: () => Response | undefined | Promise<Response>,
  options: DocumentedServerOptions = {},
): DocumentedServer {
  return startDocumentedServer({
    info: { version: '0.3.2+elsewhere.7' },
    ...options,
    answer: (request) => (request.url.endsWith('/capabilities') ? answer() : undefined),
  });
}

function asked({ seen }: DocumentedServer): readonly string[] {
  return seen.filter((line) => line.includes('capabilities'));
}

async function expectDocumented(client: Client, server: DocumentedServer): Promise<void> {
  expect([client.capabilities, client.isHearth]).toEqual([undefined, false]);
  await client.open();
  expect(client.connection).toMatchObject({ profile: 0 });
  await client.send(MESSAGE);
  expect(server.bodies).toEqual([{ author: 'ada', content: 'x' }]);
  const error = await client.rest.listMessages().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(HistoryUnavailableError);
  expect(error).toBeInstanceOf(FeatureUnavailableError);
  expect(error).toMatchObject({ feature: 'history', message: 'This instance has no history' });
  expect(server.seen).toContain('CONNECT /');
}

test('[RS9] a client asks an instance once, when it connects, what it can do', async () => {
  const env = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'home@example.org' };
  await using instance = await startTestInstance({ env });
  const paths: string[] = [];
  const fetch = (url: string, init?: RequestInit) => {
    paths.push(new URL(url).pathname);
    return globalThis.fetch(url, init);
  };
  await using client = await connect(instance.addresses.rest, { fetch });
  expect(client.capabilities?.profiles).toEqual([0, 1, 2]);
  expect(client.capabilities?.features).toEqual(Object.keys(FEATURES));
  expect(client.isHearth).toBe(true);
  await client.open();
  expect(client.connection).toMatchObject({ profile: 2 });
  await client.rest.listMessages();
  expect(paths.filter((path) => path === '/capabilities')).toHaveLength(1);
});

test('a server whose version has no build metadata is a documented one and is not asked', async () => {
  await using server = startDocumentedServer();
  await using client = await connect(server.url);
  await expectDocumented(client, server);
  expect(asked(server)).toEqual([]);
});

test.each([
  ['has no such route', () => Response.json({ status: 404, message: 'No' }, { status: 404 })],
  ['answers a page', () => new Response('<!doctype html>')],
  ['answers something else', () => Response.json({ profiles: 'all' })],
  ['refuses it', () => Response.json({ status: 403, message: 'No' }, { status: 403 })],
])('a server that %s is used as a documented one and is not asked again', async (_what, answer) => {
  await using server = claiming(answer);
  await using client = await connect(server.url);
  await expectDocumented(client, server);
  expect(asked(server)).toHaveLength(1);
});

test('capabilities that this library does not know are ignored', async () => {
  await using server = startDocumentedServer({
    isExtended: true,
    answer: ({ url }) =>
      url.endsWith('/capabilities')
        ? Response.json({
            profiles: [0, 7],
            features: ['nonce', 'teleport'],
            registration: 'by_owl',
            lobby: 'members',
            limits: {
              message_limit: 1,
              nonce_limit: 1,
              page_limit: 1,
              file_size: 1,
              attachment_file_size: 1,
            },
          })
        : undefined,
  });
  await using client = await connect(server.url);
  expect(client.isHearth).toBe(true);
  // It has neither the profile nor the history that this library knows.
  await client.open();
  expect(client.connection).toMatchObject({ profile: 0 });
  expect(server.seen).toContain('CONNECT /');
  const error = await client.rest.listMessages().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(HistoryUnavailableError);
});

test('a client waits at most 15 seconds, once, for a server that does not answer', async () => {
  const clock = manualClock();
  const isAsked = Promise.withResolvers<void>();
  await using server = claiming(() => {
    isAsked.resolve();
    return new Promise<Response>(() => undefined);
  });
  const connecting = connect(server.url, { clock });
  await isAsked.promise;
  await clock.advance(15_000);
  await using client = await connecting;
  await client.open();
  expect(client.connection).toMatchObject({ state: 'open', profile: 0 });
});

test('a server that could not answer is asked again before the next connection', async () => {
  let isAway = true;
  await using server = startDocumentedServer({
    isExtended: true,
    answer: ({ url }) => {
      if (url.includes('/messages?')) return Response.json([]);
      return isAway && url.endsWith('/capabilities')
        ? Response.json({ status: 500, message: 'No' }, { status: 500 })
        : undefined;
    },
  });
  await using client = await connect(server.url, { random: () => 0 });
  const witness = witnessOf(client);
  await client.open();
  expect(client.connection).toMatchObject({ profile: 0 });
  isAway = false;
  server.closeAll(1011, 'Server error');
  await witness.until(() => witness.states.some(({ state }) => state === 'waiting'));
  await witness.until(() => isCurrent(client));
  expect(client.isHearth).toBe(true);
  expect(server.seen).toContain('CONNECT /?v=1');
});

test('[SK24] an instance that comes back while it is asked is not taken for a documented one', async () => {
  await using server = startDocumentedServer({
    isExtended: true,
    answer: ({ url }) => (url.includes('/messages?') ? Response.json([]) : undefined),
  });
  // When it is found, and twice before an attempt to connect, at which the gateway is back.
  let failures = 3;
  const fetch = (url: string, init?: RequestInit) => {
    if (!url.endsWith('/capabilities') || failures === 0) return globalThis.fetch(url, init);
    failures -= 1;
    return Promise.reject(new TypeError('fetch failed'));
  };
  await using client = await connect(server.url, { fetch, random: () => 0 });
  await client.open();
  expect(server.seen.filter((line) => line.startsWith('CONNECT'))).toEqual(['CONNECT /?v=1']);
  expect(client.isHearth).toBe(true);
});

test('a client of an instance that is already known asks when it needs the answer', async () => {
  await using instance = await startTestInstance();
  await using plain = await connect(instance.addresses.rest);
  await using client = createClient(plain.info);
  expect(client.capabilities).toBeUndefined();
  await client.rest.listMessages();
  expect(client.capabilities).toEqual(plain.capabilities);
  const { capabilities } = plain;
  await using informed = createClient(plain.info, { capabilities });
  expect(informed.isHearth).toBe(true);
});

test("waiting for the answer ends with the caller's signal", async () => {
  const isAsked = Promise.withResolvers<void>();
  await using server = claiming(() => {
    isAsked.resolve();
    return new Promise<Response>(() => undefined);
  });
  const info = await (await fetch(server.url)).json();
  await using client = createClient(info);
  const abort = new AbortController();
  const listing = client.rest.listMessages({}, { signal: abort.signal });
  await isAsked.promise;
  abort.abort(new Error('enough'));
  expect(await listing.catch((reason: unknown) => reason)).toMatchObject({ message: 'enough' });
});

test('[LB25] an instance that does not know `around` is not asked for the messages around an id', async () => {
  await using server = startDocumentedServer({ isExtended: true });
  await using client = await connect(server.url);
  const error = await client.rest.listMessages({ around: firstIdAt(0) }).catch((reason) => reason);
  expect(error).toBeInstanceOf(FeatureUnavailableError);
  expect(server.seen.filter((line) => line.includes('around'))).toEqual([]);
});

test('[SE1] an instance without a search is not asked to search', async () => {
  await using server = startDocumentedServer({ isExtended: true });
  await using client = await connect(server.url);
  const error = await client.search({ text: 'needle' }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FeatureUnavailableError);
  expect(server.seen.filter((line) => line.includes('/search'))).toEqual([]);
});
