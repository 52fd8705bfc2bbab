import { instanceInfoSchema } from '@hearth/protocol/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { BEHIND_PROXY, LimitedClient, limitHeaders } from '@hearth/testing/clients/limited-client';
import { eventOf, postMessage } from '@hearth/testing/clients/post-message';
import { RawConnection, rawRequest, requestLines } from '@hearth/testing/clients/raw-http';
import { readError } from '@hearth/testing/clients/read-error';
import { handshake, RawSocket } from '@hearth/testing/clients/raw-socket';
import { encodeForm, filePart, postForm, upload } from '@hearth/testing/clients/upload-form';
import { atWebPort } from '@hearth/testing/instances/at-web-port';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  webAddressOf,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { webFolder } from '@hearth/testing/instances/web-folder';
import { freePorts } from '@hearth/testing/free-ports';
import type { TempFolder } from '@hearth/testing/temp-folder';
import type { Addresses } from '../src/context.ts';

/** More than the system buffers for a client that reads nothing. */
const DOWNLOAD_BYTES = 16_000_000;
const SERVER_ERROR = { code: 1011, reason: 'Server error' };

let folder: TempFolder;
let instance: TestInstance;
let web: string;
let shared: Addresses;

beforeAll(async () => {
  folder = await webFolder();
  instance = await startTestInstance({ web: folder.path });
  web = webAddressOf(instance);
  shared = atWebPort(web);
});

afterAll(async () => {
  await instance[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** Resolves with what an answer consists of, without what differs between two requests. */
async function facts(answer: Response): Promise<unknown> {
  const { date: _date, ...headers } = Object.fromEntries(answer.headers);
  for (const name of Object.keys(headers)) {
    if (/last-reset|request-count/.test(name)) headers[name] = 'a number';
  }
  return { status: answer.status, headers, text: await answer.text() };
}

async function infoAt(url: string, headers: Readonly<Record<string, string>> = {}) {
  return instanceInfoSchema.parse(await (await fetch(url, { headers })).json());
}

describe('[OA1] the port of the web client answers as the own port of', () => {
  test.each([
    'GET /rate_limits',
    'GET /messages?limit=2',
    'GET /capabilities',
    'HEAD /messages',
    'OPTIONS /messages',
    'OPTIONS ',
    'DELETE /messages',
    'GET /none',
    'GET //messages/',
    'POST /messages',
  ])('the REST service: %s', async (line) => {
    const [method = '', path = ''] = line.split(' ');
    const body = method === 'POST' ? { body: '{"author":"x"}' } : {};
    const answers = [instance.addresses, shared].map(async ({ rest }) =>
      facts(await fetch(rest + path, { method, ...body })),
    );
    const [own, here] = await Promise.all(answers);
    expect(here).toEqual(own);
  });

  test('the file service, whatever was fetched before', async () => {
    const { id } = await upload(shared.files, 'content', 'a.txt');
    for (const [method, path] of [
      ['GET', `/${id}`],
      ['GET', `/${id}`],
      ['HEAD', `/${id}/download`],
      ['GET', `/attachments/${id}/data`],
      ['OPTIONS', `/${id}`],
      ['GET', '/none'],
      ['GET', ''],
      ['PUT', `/${id}`],
    ] as const) {
      const answers = [shared, instance.addresses].map(async ({ files }) =>
        facts(await fetch(files + path, { method })),
      );
      const [here, own] = await Promise.all(answers);
      expect(here).toEqual(own);
    }
    for (const { files } of [instance.addresses, { files: web }]) {
      expect((await fetch(`${files}/files/${id}`)).status).toBe(files === web ? 200 : 404);
    }
    const form = encodeForm(filePart('x'));
    expect((await postForm(`${shared.files}/`, form)).status).toBe(200);
  });

  test('the gateway, which is no page', async () => {
    for (const path of ['', '/', '/any/where']) {
      const client = await GatewayClient.connect(shared.gateway + path, ['a', 'b']);
      await client.ping();
      expect(client.protocol).toBe('a');
      client.close();
      const plain = await fetch((shared.gateway + path).replace('ws:', 'http:'));
      expect((await readError(plain)).status).toBe(426);
    }
  });

  test('nothing at paths that only begin like those of a component', async () => {
    for (const path of ['/apis', '/gateways', '/filesystem', '/api.js', '/API']) {
      expect((await readError(await fetch(web + path))).status).toBe(404);
    }
    expect((await fetch(web)).headers.get('content-type')).toStartWith('text/html');
  });
});

test('[OA1] other processes of the instance serve what they run, and a web process alone only the page', async () => {
  await using alone = await startTestInstance({ env: { COMPONENTS: 'web' }, web: folder.path });
  const { rest, gateway, files } = atWebPort(webAddressOf(alone));
  for (const url of [rest, files, gateway.replace('ws:', 'http:')]) {
    expect((await readError(await fetch(url))).status).toBe(404);
  }
  expect(await (await fetch(webAddressOf(alone))).text()).not.toContain('own-services');
});

describe('[OA2] the addresses', () => {
  const PUBLIC = 'public_url = "https://chat.example/x/"\n';
  const below = {
    oprish_url: 'https://chat.example/x/api',
    pandemonium_url: 'wss://chat.example/x/gateway',
    effis_url: 'https://chat.example/x/files',
  };

  test('the addresses are below the public one at every port, except a url that is set', async () => {
    const toml = `${PUBLIC}[effis]\nurl = "https://files.example"\n`;
    const [port = 0] = await freePorts(1);
    const env = { ...BEHIND_PROXY, OPRISH_PORT: String(port) };
    await using started = await startTestInstance({ toml, env, web: folder.path });
    const expected = { ...below, effis_url: 'https://files.example' };
    const urls = [
      `http://127.0.0.1:${port}`,
      webAddressOf(started),
      atWebPort(webAddressOf(started)).rest,
    ];
    for (const url of urls) {
      const client = new LimitedClient();
      expect(await infoAt(url, { ...client.headers, Accept: 'application/json' })).toMatchObject(
        expected,
      );
    }
  });

  test('the addresses have the paths that are configured, and these are served', async () => {
    const toml = `${PUBLIC}[web]\napi_path = "/v1/rest"\nfiles_path = "/f"\n${GENEROUS_LIMITS}`;
    await using started = await startTestInstance({ toml, web: folder.path });
    const url = webAddressOf(started);
    expect(await infoAt(`${url}/v1/rest`)).toMatchObject({
      oprish_url: 'https://chat.example/x/v1/rest',
      effis_url: 'https://chat.example/x/f',
    });
    const { id } = await upload(`${url}/f`, 'content');
    expect(await (await fetch(`${url}/f/${id}`)).text()).toBe('content');
    expect((await fetch(`${url}/api`)).status).toBe(404);
  });

  test('the addresses stay those of the three ports if none is configured', async () => {
    const { rest, gateway, files } = instance.addresses;
    expect(await infoAt(rest)).toMatchObject({
      oprish_url: rest,
      pandemonium_url: gateway,
      effis_url: files,
    });
  });
});

test('[OA3] if no address is configured, the port of the web client answers with that of the request', async () => {
  const ask = async (path: string, host: string) => {
    const lines = requestLines('GET', path, 'Accept: application/json');
    return (await rawRequest(web, lines.replace('hearth.test', host))).json();
  };
  for (const path of ['/api', '/', '/api/']) {
    expect(await ask(path, 'nas.home:81')).toMatchObject({
      oprish_url: 'http://nas.home:81/api',
      pandemonium_url: 'ws://nas.home:81/gateway',
      effis_url: 'http://nas.home:81/files',
    });
    expect(await ask(path, 'a;b')).toMatchObject({ oprish_url: shared.rest });
  }
});

test('[OA12] a message has the files that it names by any known address', async () => {
  const toml = `public_url = "https://chat.example/x"\n${GENEROUS_LIMITS}`;
  const [rest = 0, port = 0] = await freePorts(2);
  const env = { OPRISH_PORT: String(rest), EFFIS_PORT: String(port) };
  await using named = await startTestInstance({ toml, env, web: folder.path });
  const here = atWebPort(webAddressOf(named));
  const files = ['https://chat.example/x/files', `http://127.0.0.1:${port}`, here.files];
  const { id } = await upload(here.files, 'content');
  for (const base of [...files, 'https://other.example/files']) {
    await postMessage({ addresses: here }, `look: ${base}/${id}`);
  }
  const history: unknown = await (await fetch(`http://127.0.0.1:${rest}/messages`)).json();
  const attachment = [expect.objectContaining({ id })];
  const expected = files.map(() => expect.objectContaining({ attachments: attachment }));
  // The newest comes first.
  expect(history).toEqual([expect.not.objectContaining({ attachments: attachment }), ...expected]);
});

describe('[OA5] the bounds hold for both ports together:', () => {
  test('requests count by client, at whichever port they arrive', async () => {
    await using limited = await startTestInstance({
      toml: '',
      env: BEHIND_PROXY,
      web: folder.path,
    });
    const client = new LimitedClient();
    const ports = [limited.addresses, atWebPort(webAddressOf(limited))];
    const counts: unknown[] = [];
    for (const { rest } of ports) {
      const answer = await client.get(`${rest}/rate_limits`);
      counts.push([answer.status, limitHeaders(answer).requestCount]);
    }
    const refused = await client.get(`${ports[1]?.rest}/rate_limits`);
    expect([...counts, refused.status]).toEqual([[200, 1], [200, 2], 429]);
    expect((await new LimitedClient().get(`${ports[1]?.rest}/rate_limits`)).status).toBe(200);
  });

  test('a client has as many transfers as it may have', async () => {
    const toml = `effis.transfers_per_client = 2\n${GENEROUS_LIMITS}`;
    await using limited = await startTestInstance({ toml, web: folder.path });
    const [own, here] = [limited.addresses.files, atWebPort(webAddressOf(limited)).files];
    const { id } = await upload(own, new Uint8Array(DOWNLOAD_BYTES));
    const small = await upload(here, 'small');
    using held = new DisposableStack();
    for (const files of [own, here]) {
      const unread = held.use(await RawConnection.connect(files));
      await unread.send(requestLines('GET', `${new URL(files).pathname}/${id}`.replace('//', '/')));
    }
    for (const files of [own, here]) await untilStatus(429, `${files}/${small.id}`);
    held.dispose();
    for (const files of [own, here]) await untilStatus(200, `${files}/${small.id}`);
  });
});

describe('[OA6] the gateway', () => {
  test('the gateway sends the same events in the same order to the sockets of both ports, and to none twice', async () => {
    const clients = await Promise.all(
      [instance.addresses, shared, shared].map(({ gateway }) => GatewayClient.connect(gateway)),
    );
    const contents = Array.from({ length: 40 }, (_, index) => `message ${index}`);
    for (const [index, content] of contents.entries()) {
      await postMessage({ addresses: index % 2 === 0 ? shared : instance.addresses }, content);
    }
    for (const client of clients) {
      await client.until(() => client.received.length >= contents.length);
      await client.ping();
      expect(client.received.slice(0, -1)).toEqual(contents.map((content) => eventOf(content)));
      client.close();
    }
  });

  test('a client of profile 1 may resume at the other port', async () => {
    const place = async (client: GatewayClient) => {
      await client.until(() => client.received.length > 0);
      return JSON.parse(client.received[0] ?? '');
    };
    const first = await GatewayClient.connect(`${shared.gateway}?v=1`);
    const hello = await place(first);
    first.close();
    await first.closed;
    await postMessage({ addresses: shared }, 'missed');
    const { epoch, s } = hello.d ?? hello;
    for (const gateway of [instance.addresses.gateway, shared.gateway]) {
      const again = await GatewayClient.connect(`${gateway}?v=1&epoch=${epoch}&s=${s}`);
      await again.until(() => again.received.some((text) => text.includes('missed')));
      expect(again.received[0]).toContain('"recovered":true');
      again.close();
    }
  });

  test('a client that reads too slowly is closed, and connections are counted by client', async () => {
    const toml = '[pandemonium]\nrate_limit = { reset_after = 10, limit = 2 }\n';
    await using limited = await startTestInstance({ toml, web: folder.path });
    const { gateway } = atWebPort(webAddressOf(limited));
    const first = await GatewayClient.connect(gateway);
    const second = await GatewayClient.connect(limited.addresses.gateway);
    const third = await GatewayClient.connect(gateway);
    expect(await third.closed).toEqual({ code: 1011, reason: 'Client hit rate limit' });
    for (const client of [first, second]) client.close();
  });

  test('a handshake that is refused is answered, and no request is held open', async () => {
    const socket = await RawSocket.connect(web, { target: '/gateway/' });
    expect(socket.head).toStartWith('HTTP/1.1 101');
    socket[Symbol.dispose]();
    const lines = handshake({ target: '/gateway' }).replace('Version: 13', 'Version: 12');
    expect((await rawRequest(web, lines)).status).toBe(426);
  });
});

test('[OA9] a stop finishes downloads at both ports, and messages reach their sockets before these are closed', async () => {
  const stopping = await startTestInstance({ web: folder.path });
  const here = atWebPort(webAddressOf(stopping));
  const { id } = await upload(here.files, new Uint8Array(DOWNLOAD_BYTES));
  using unread = await RawConnection.connect(here.files);
  await unread.send(requestLines('GET', `/files/${id}`));
  await unread.line();
  const client = await GatewayClient.connect(here.gateway);
  const accepted: string[] = [];
  const post = async (content: string): Promise<boolean> => {
    try {
      const body = JSON.stringify({ author: 'someone', content });
      const answer = await fetch(`${here.rest}/messages`, { method: 'POST', body });
      if (answer.status === 200) accepted.push(eventOf(content));
      return answer.status === 200;
    } catch {
      return false;
    }
  };
  const posters = Array.from({ length: 10 }, async (_, poster) => {
    for (let count = 0; await post(`${poster}.${count}`); count += 1);
  });
  await client.until(() => client.received.length > 50);
  const stopped = stopping.stop();
  await Promise.all(posters);
  expect(await client.closed).toEqual(SERVER_ERROR);
  expect(client.received).toEqual(expect.arrayContaining(accepted));
  expect((await unread.rest()).length).toBeGreaterThan(DOWNLOAD_BYTES);
  await stopped;
  await stopping[Symbol.asyncDispose]();
  await expect(fetch(here.rest)).rejects.toThrow();
});

test('[OA10] a path of a component that is one of the page stops the start', async () => {
  for (const [key, path] of [
    ['files_path', '/assets'],
    ['api_path', '/index.html'],
    ['gateway_path', '/sw.js/x'],
  ]) {
    const toml = `[web]\n${key} = "${path}"`;
    await expect(startTestInstance({ toml, web: folder.path })).rejects.toThrow(
      `web.${key}: expected a path that is not in the web client, got "${path}"`,
    );
  }
});

/** Fetches again and again until the answer has this status, and reads it. */
async function untilStatus(status: number, url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    if (answer.status === status) return;
  }
}
