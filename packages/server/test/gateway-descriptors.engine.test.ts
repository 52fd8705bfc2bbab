import { describe, expect, test } from 'bun:test';
import { descriptorShares } from '../src/runtime/descriptor-limit.ts';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import {
  startLimitedInstance,
  type LimitedInstance,
} from '@hearth/testing/instances/limited-instance';
import { postMessage } from '@hearth/testing/clients/post-message';
import { RawSocket } from '@hearth/testing/clients/raw-socket';
import { readError } from '@hearth/testing/clients/read-error';

const DESCRIPTORS = 256;
const SERVER_ERROR = { code: 1011, reason: 'Server error' };
const { admitted, refused } = descriptorShares(DESCRIPTORS);

async function connectMany(url: string, count: number): Promise<GatewayClient[]> {
  return Promise.all(Array.from({ length: count }, () => GatewayClient.connect(url)));
}

/** Proves that all three ports answer HTTP. */
async function expectHttp({ addresses }: LimitedInstance): Promise<void> {
  const { rest, files, gateway } = addresses;
  const urls = [rest, `${files}/none`, gateway.replace('ws:', 'http:')];
  const answers = await Promise.all(urls.map((url) => fetch(url)));
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 426]);
}

describe('[GW20] an instance that may use 256 descriptors', () => {
  test('an instance accepts sockets up to its maximum, closes further ones with "Server error" and still answers HTTP', async () => {
    await using instance = await startLimitedInstance(DESCRIPTORS);
    const { gateway } = instance.addresses;
    const clients = await connectMany(gateway, admitted);
    await expectHttp(instance);
    for (let count = 0; count < 20; count += 1) {
      using further = await RawSocket.connect(gateway);
      expect(further.head).toStartWith('HTTP/1.1 101 ');
      await further.ended;
      expect(further.closed).toEqual(SERVER_ERROR);
    }
    await expectHttp(instance);
    await postMessage(instance, 'full house');
    for (const client of clients) await client.until(() => client.received.length === 1);
  });

  test('new clients are accepted as soon as others have left', async () => {
    await using instance = await startLimitedInstance(DESCRIPTORS);
    const { gateway } = instance.addresses;
    const clients = await connectMany(gateway, admitted);
    const [turnedAway] = await connectMany(gateway, 1);
    expect(await turnedAway?.closed).toEqual(SERVER_ERROR);
    for (const client of clients.slice(0, 10)) {
      client.close();
      await client.closed;
    }
    for (const client of await connectMany(gateway, 10)) await client.ping();
    const [again] = await connectMany(gateway, 1);
    expect(await again?.closed).toEqual(SERVER_ERROR);
    for (const client of clients.slice(10)) await client.ping();
  });

  test('an instance is not filled by clients that ignore their close: those that do not fit are refused in HTTP', async () => {
    await using instance = await startLimitedInstance(DESCRIPTORS);
    const { gateway } = instance.addresses;
    const clients = await connectMany(gateway, admitted);
    using further = await connectHalfOpen(gateway, 150);
    expect(further.statuses.slice(0, refused)).toEqual(
      Array.from({ length: refused }, () => '101'),
    );
    expect(new Set(further.statuses.slice(refused))).toEqual(new Set(['500']));
    await expectHttp(instance);
    const answer = await fetchUpgrade(gateway);
    expect(await readError(answer)).toEqual({
      status: 500,
      message: expect.any(String),
      data: { error: 'Opening the connection failed' },
    });
    for (const client of clients) await client.ping();
  });

  test('an instance is not filled by clients beyond their limit either: other clients can still connect', async () => {
    const toml = '[pandemonium]\nrate_limit = { reset_after = 3600, limit = 1 }';
    await using instance = await startLimitedInstance(DESCRIPTORS, toml);
    const { gateway } = instance.addresses;
    const [client] = await connectMany(gateway, 1);
    using further = await connectHalfOpen(gateway, 250);
    expect(further.statuses.at(-1)).toBe('429');
    // They may use half of the free descriptors.
    const halfOfFree = Math.floor((admitted - 1) / 2);
    expect(further.statuses.slice(0, refused + halfOfFree)).not.toContain('429');
    await expectHttp(instance);
    const answer = await fetchUpgrade(gateway);
    const { data } = await readError(answer);
    expect(data?.['retry_after']).toBeWithin(3_500_000, 3_600_001);
    await client?.ping();
    using stranger = await RawSocket.connect(gateway, { headers: ['X-Forwarded-For: 192.0.2.9'] });
    stranger.sendText('{"op":"PING"}');
    await stranger.until(() => stranger.texts.length === 1);
    using _strangers = await connectHalfOpen(
      gateway,
      250,
      (each) => `X-Forwarded-For: 192.0.2.${each}`,
    );
    await expectHttp(instance);
  });
});

/** Connects clients, one after another, that keep their half of the connection open even if the gateway closes its half. */
async function connectHalfOpen(
  url: string,
  count: number,
  header: (each: number) => string = () => 'X-Each: same',
) {
  const sockets: RawSocket[] = [];
  for (let each = 0; each < count; each += 1) {
    const headers = [header(each)];
    sockets.push(await RawSocket.connect(url, { headers, staysHalfOpen: true }));
  }
  return {
    statuses: sockets.map(({ head }) => head.split(' ', 2)[1]),
    [Symbol.dispose]: () => sockets.forEach((socket) => socket[Symbol.dispose]()),
  };
}

/** Requests a WebSocket when an answer in HTTP is expected. */
function fetchUpgrade(url: string): Promise<Response> {
  return fetch(url.replace('ws:', 'http:'), {
    headers: {
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    },
  });
}
