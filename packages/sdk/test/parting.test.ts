import { describe, expect, test } from 'bun:test';
import { ClosedError, connect, type Client } from '../src/index.ts';
import {
  startDocumentedServer,
  type DocumentedServer,
} from '@hearth/testing/clients/documented-server';
import { manualClock, type ManualClock } from '@hearth/testing/manual-clock';
import { witnessOf, type Witness } from '@hearth/testing/clients/witness';

interface Setting extends AsyncDisposable {
  readonly server: DocumentedServer;
  readonly client: Client;
  readonly clock: ManualClock;
  readonly witness: Witness;
}

const HELLO = JSON.stringify({
  op: 'HELLO',
  d: { v: 1, heartbeat_interval: 45_000, epoch: 'e', s: 0, recovered: null },
});

/** A client that is connected to a gateway whose every payload comes from the test. */
async function connected(profile: 0 | 1): Promise<Setting> {
  const server = startDocumentedServer({
    isMute: true,
    isExtended: profile === 1,
    answer: (request) => (request.url.includes('/messages?') ? Response.json([]) : undefined),
  });
  const clock = manualClock();
  const client = await connect(server.url, { clock, random: () => 0.5 });
  const witness = witnessOf(client);
  const opened = client.open();
  if (profile === 1) {
    await pinged(server);
    server.push(HELLO);
    server.push('{"op":"PONG"}');
  }
  await opened;
  return {
    server,
    client,
    clock,
    witness,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function pinged({ seen }: DocumentedServer): Promise<void> {
  while (!seen.includes('PING')) await new Promise((resolve) => setImmediate(resolve));
}

function disconnect(fields: object): string {
  return JSON.stringify({ op: 'DISCONNECT', d: { reconnect: true, retry_after: 0, ...fields } });
}

/** Returns the time that the client waits, from now. */
async function waitOf({ client, clock, witness }: Setting): Promise<number> {
  await witness.until(() => client.connection.state === 'waiting');
  const { connection } = client;
  if (connection.state !== 'waiting') throw new Error('it waits');
  return connection.retryAtMs - clock.now();
}

describe('what DISCONNECT says', () => {
  test('the time is obeyed: a client that is to come back in 7 seconds does so', async () => {
    await using setting = await connected(1);
    const { server, client } = setting;
    server.push(disconnect({ reason: 'shutdown', retry_after: 7_000 }));
    server.closeAll(1011, 'Server error');
    expect(await waitOf(setting)).toBe(7_000);
    expect(client.connection).toMatchObject({ attempt: 1, reason: 'shutdown' });
  });

  test('the time holds if no close frame follows, although the reason is not known yet', async () => {
    await using setting = await connected(1);
    setting.server.push(disconnect({ reason: 'moved', retry_after: 9_000 }));
    while (setting.clock.timers < 2) await new Promise((resolve) => setImmediate(resolve));
    await setting.clock.advance(2_000);
    expect(await waitOf(setting)).toBe(9_000);
    expect(setting.client.connection).toMatchObject({ reason: 'server_error' });
  });

  test('the reason may be that reconnecting cannot help: then the client is closed', async () => {
    await using setting = await connected(1);
    const { server, client, witness } = setting;
    const next = client.messages().next();
    server.push(disconnect({ reason: 'moved', reconnect: false }));
    server.closeAll(1011, 'Server error');
    await witness.until(() => client.connection.state === 'closed');
    const error = await next.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ClosedError);
    expect(error).toMatchObject({
      message: 'The instance does not want this client: server_error',
    });
    expect(await client.open().catch((reason) => reason)).toBeInstanceOf(ClosedError);
    // A reader that comes later does not get a normal end.
    expect(
      await client
        .messages()
        .next()
        .catch((reason) => reason),
    ).toBeInstanceOf(ClosedError);
  });

  test('a refusal is not taken back by later payloads: a refused client is not open for a moment', async () => {
    await using server = startDocumentedServer({
      isMute: true,
      isExtended: true,
      answer: (request) => (request.url.includes('/messages?') ? Response.json([]) : undefined),
    });
    await using client = await connect(server.url, { clock: manualClock() });
    const witness = witnessOf(client);
    const opened = client.open();
    await pinged(server);
    server.push(HELLO);
    server.push(disconnect({ reason: 'full', retry_after: 3_000 }));
    server.push('{"op":"PONG"}');
    server.closeAll(1011, 'Server error');
    await witness.until(() => client.connection.state === 'waiting');
    expect(witness.states.map(({ state }) => state)).not.toContain('open');
    expect(client.connection).toMatchObject({ reason: 'full', attempt: 1 });
    await client.close();
    expect(await opened.catch((error: unknown) => error)).toBeInstanceOf(ClosedError);
  });
});

test('a documented gateway that reports a rate limit is left alone for some seconds', async () => {
  await using setting = await connected(0);
  setting.server.closeAll(1011, 'Client hit rate limit');
  expect(await waitOf(setting)).toBe(5_250);
  expect(setting.client.connection).toMatchObject({ reason: 'rate_limited' });
});

test('a connection that ends as soon as it is open counts as a failed attempt, a good one does not', async () => {
  await using setting = await connected(0);
  const { server, client, clock, witness } = setting;
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    server.closeAll(1011, 'Server error');
    waits.push(await waitOf(setting));
    expect(client.connection).toMatchObject({ attempt });
    await clock.advance(waits.at(-1) ?? 0);
    await witness.until(() => client.connection.state === 'open');
  }
  expect(waits).toEqual([250, 500, 1_000]);
  await clock.advance(11_000);
  server.closeAll(1011, 'Server error');
  expect(await waitOf(setting)).toBe(250);
});

test('a listener that closes the client gets no more events, even if some were waiting', async () => {
  await using setting = await connected(1);
  const { server, client, witness } = setting;
  client.on('message', () => void client.close());
  // Two are missing before the first of these, so that both wait until the history was read.
  for (const s of [3, 4, 5]) {
    const d = { id: String(s), author: 'ada', content: `no. ${s}`, created_at: 0 };
    server.push(JSON.stringify({ op: 'MESSAGE_CREATE', s, d }));
  }
  await witness.until(() => client.connection.state === 'closed');
  expect(witness.contents).toEqual(['no. 3']);
  expect(witness.gaps).toHaveLength(1);
});
