import type { InstanceInfo } from '@hearth/protocol';
import { fileDataSchema, instanceInfoSchema } from '@hearth/protocol/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { OWNER } from '../src/actor.ts';
import { addStatic } from '../src/features/files/statics/add-static.ts';
import { listStatics } from '../src/features/files/statics/list-statics.ts';
import { componentAddresses } from '../src/config/component-addresses.ts';
import { ENVIRONMENT_OPTIONS } from '../src/config/environment-options.ts';
import { INSTANCE_OPTIONS } from '../src/config/instance-options.ts';
import { loadConfig } from '../src/config/load-config.ts';
import type { OptionTree } from '../src/config/option.ts';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { RawConnection, rawRequest, requestLines } from '@hearth/testing/clients/raw-http';
import { openTestContext } from '@hearth/testing/instances/test-context';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';

const UPGRADE = [
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
const EMPTY_CLOSE_FRAME = Uint8Array.of(0x88, 0x80, 0, 0, 0, 0);
const MESSAGE = '{"author":"ada","content":"x"}';

let instance: TestInstance;
let info: InstanceInfo;

beforeAll(async () => {
  instance = await startTestInstance();
  info = instanceInfoSchema.parse(await (await fetch(instance.addresses.rest)).json());
});

afterAll(() => instance[Symbol.asyncDispose]());

function post(headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${info.oprish_url}/messages`, { method: 'POST', body: MESSAGE, headers });
}

function upload(headers: Record<string, string> = {}): Promise<Response> {
  const body = new FormData();
  body.append('file', new File(['content'], 'file.txt'));
  return fetch(`${info.effis_url}/attachments`, { method: 'POST', body, headers });
}

test('[SV1][SV2] the three addresses in the InstanceInfo lead to the three components', async () => {
  const { oprish_url, pandemonium_url, effis_url } = info;
  expect(
    new Set([oprish_url, pandemonium_url, effis_url].map((url) => new URL(url).port)).size,
  ).toBe(3);
  expect(await (await fetch(oprish_url)).json()).toEqual(info);
  const client = await GatewayClient.connect(pandemonium_url);
  expect(await (await post()).text()).toBe(MESSAGE);
  await client.until(() => client.received.includes(`{"op":"MESSAGE_CREATE","d":${MESSAGE}}`));
  client.close();
  const { id } = fileDataSchema.parse(await (await upload()).json());
  expect(await (await fetch(`${effis_url}/attachments/${id}`)).text()).toBe('content');
});

test('[SV3] by default the components listen on 7159, 7160 and 7161', async () => {
  const { config } = await loadConfig({
    env: {},
    workingDir: instance.folder,
    writeMissingFile: false,
  });
  const { restPort, gatewayPort, filesPort } = config.deployment;
  expect([restPort, gatewayPort, filesPort]).toEqual([7159, 7160, 7161]);
  expect(componentAddresses(config)).toEqual({
    rest: 'http://127.0.0.1:7159',
    gateway: 'ws://127.0.0.1:7160',
    files: 'http://127.0.0.1:7161',
  });
});

describe('[SV4] settings', () => {
  function keysOf(tree: OptionTree, prefix = ''): readonly string[] {
    return Object.entries(tree).flatMap(([key, node]) =>
      node.kind === 'option' ? [prefix + key] : keysOf(node.options, `${prefix}${key}_`),
    );
  }

  test('settings are in the instance file or in the environment, none in both', () => {
    const behaviour = keysOf(INSTANCE_OPTIONS).map((key) => key.toUpperCase());
    const deployment = new Set(keysOf(ENVIRONMENT_OPTIONS));
    expect(behaviour.length).toBeGreaterThan(20);
    expect(deployment.size).toBeGreaterThan(6);
    expect(behaviour.filter((key) => deployment.has(key))).toEqual([]);
  });

  test('settings of behaviour are not read from the environment', async () => {
    const env = {
      INSTANCE_NAME: 'Other',
      MESSAGE_LIMIT: '1',
      OPRISH_MESSAGE_LIMIT: '1',
      OPRISH_URL: 'http://other.example',
    };
    await using other = await startTestInstance({ env });
    const { instance_name, message_limit, oprish_url } = instanceInfoSchema.parse(
      await (await fetch(other.addresses.rest)).json(),
    );
    expect([instance_name, message_limit, oprish_url]).toEqual([
      'Hearth',
      2048,
      other.addresses.rest,
    ]);
  });

  test.each(['OPRISH_PORT = 1', '[oprish]\nport = 1', 'data_dir = "x"', 'host = "::"'])(
    'settings of deployment are no keys of the instance file: %j',
    async (toml) => {
      const started = startTestInstance({ toml });
      expect(await started.then(() => 'it starts', String)).toContain('instance.toml: ');
    },
  );
});

test('[SV5] no request changes a static file', async () => {
  await using ctx = await openTestContext(instance);
  const bytes = Buffer.from('static content');
  const content = new Blob([bytes]).stream();
  await addStatic(ctx, OWNER, { name: 'logo.txt', sizeBytes: bytes.byteLength, content });
  const before = await listStatics(ctx, OWNER);
  const targets = [
    '/static/logo.txt',
    '/static/new.txt',
    '/static',
    '/static/',
    '/static/logo.txt/data',
  ];
  const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'MOVE', 'COPY', 'MKCOL', 'PROPPATCH'];
  for (const target of targets) {
    for (const method of methods) {
      const headers = [
        'Content-Length: 5',
        'Destination: /static/logo.txt',
        'X-HTTP-Method-Override: PUT',
      ];
      const lines = requestLines(method, target, ...headers);
      const { status } = await rawRequest(info.effis_url, `${lines}other`);
      expect([404, 405, 422]).toContain(status);
    }
    const body = new FormData();
    body.append('file', new File(['other'], 'logo.txt'));
    const uploaded = await fetch(info.effis_url + target, { method: 'POST', body });
    expect([404, 405, 422]).toContain(uploaded.status);
  }
  expect(await listStatics(ctx, OWNER)).toEqual(before);
  expect(await (await fetch(`${info.effis_url}/static/logo.txt`)).text()).toBe('static content');
  expect((await fetch(`${info.effis_url}/static/new.txt`)).status).toBe(404);
});

describe('[SV6] on the wire', () => {
  /** Every value of a payload, with its key. */
  function valuesOf(payload: unknown, key = ''): readonly [key: string, value: unknown][] {
    if (typeof payload !== 'object' || payload === null) return [[key, payload]];
    return Object.entries(payload).flatMap(([name, value]) => valuesOf(value, name));
  }

  async function answers(): Promise<readonly Response[]> {
    return Promise.all([
      fetch(info.oprish_url),
      fetch(`${info.oprish_url}/rate_limits`),
      fetch(`${info.oprish_url}/nowhere`),
      post(),
      upload(),
      fetch(`${info.effis_url}/1`),
      fetch(`${info.effis_url}/attachments`, { method: 'POST' }),
    ]);
  }

  test('numbers are whole, and only the nullable description is ever null', async () => {
    const payloads = await Promise.all((await answers()).map((answer) => answer.json()));
    const values = payloads.flatMap((payload) => valuesOf(payload));
    const numbers = values.filter(([, value]) => typeof value === 'number');
    expect(numbers.length).toBeGreaterThan(20);
    expect(numbers.filter(([, value]) => !Number.isSafeInteger(value))).toEqual([]);
    const nulls = values.filter(([, value]) => value === null).map(([key]) => key);
    expect(nulls).toEqual(['description']);
  });

  test('numbers in headers are whole', async () => {
    const headers = (await answers()).flatMap((answer) => [...answer.headers]);
    const numbers = headers.filter(([name]) => /ratelimit|length|retry/.test(name));
    expect(numbers.length).toBeGreaterThan(20);
    expect(numbers.filter(([, value]) => !/^\d+$/.test(value))).toEqual([]);
  });

  test('a 429 has whole numbers too', async () => {
    const toml = GENEROUS_LIMITS.replaceAll(/info = .*/g, 'info = { reset_after = 7, limit = 1 }');
    await using limited = await startTestInstance({ toml });
    await fetch(limited.addresses.rest);
    const answer = await fetch(limited.addresses.rest);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-7]$/);
    expect(await answer.text()).toMatch(/"data":\{"retry_after":\d+\}\}$/);
  });

  test('an omittable field is absent if it has no value', async () => {
    expect(Object.keys(Object(await (await upload()).json()))).not.toContain('spoiler');
    expect(Object.keys(Object(await (await fetch(`${info.oprish_url}/x`)).json()))).not.toContain(
      'data',
    );
  });
});

test.each(['Basic OmE=', 'x', ''])(
  '[SV7] no token is required, and %j as Authorization changes nothing',
  async (authorization) => {
    const headers = { Authorization: authorization };
    for (const answer of [await post(headers), await upload(headers)]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.has('www-authenticate')).toBe(false);
    }
    expect(await (await fetch(info.oprish_url, { headers })).json()).toEqual(info);
    using connection = await RawConnection.connect(info.pandemonium_url);
    await connection.send(requestLines('GET', '/', ...UPGRADE, `Authorization: ${authorization}`));
    await connection.send(EMPTY_CLOSE_FRAME);
    expect(await connection.rest()).toStartWith('HTTP/1.1 101 ');
  },
);
