import { AccountClient } from '@hearth/testing/clients/account-client';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { postMessage } from '@hearth/testing/clients/post-message';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { ClosedError, connect, HearthError } from '../src/index.ts';
import { cuttableClient } from './support/cuttable-client.ts';
import { isCurrent, witnessOf } from '@hearth/testing/clients/witness';

let instance: TestInstance;

beforeAll(async () => {
  instance = await startTestInstance();
});

afterAll(async () => {
  await instance[Symbol.asyncDispose]();
});

test('messages come with all fields that Hearth adds', async () => {
  await using client = await connect(instance.addresses.rest);
  const messages = client.messages();
  await client.open();
  expect(client.connection).toEqual({ state: 'open', profile: 2, isCurrent: true });
  await client.send({ author: 'ada', content: 'hello', nonce: 'n' });
  const { value } = await messages.next();
  const [listed] = await client.rest.listMessages({ limit: 1 });
  expect(value).toEqual({ ...listed, nonce: 'n' });
  expect(value).toMatchObject({ author: 'ada', content: 'hello' });
});

test('the states of a connection are reported in order', async () => {
  const client = await connect(instance.addresses.rest);
  const { states } = witnessOf(client);
  const first = client.open();
  await Promise.all([first, client.open()]);
  await client.open();
  await client.close();
  expect(states).toEqual([
    { state: 'connecting', attempt: 0 },
    { state: 'open', profile: 2, isCurrent: true },
    { state: 'closed' },
  ]);
  await client.close();
});

describe('a connection that breaks', () => {
  test('a connection is resumed: no message is lost, repeated or marked as recovered', async () => {
    await using broken = await cuttableClient(instance);
    const { client, cutter } = broken;
    const witness = witnessOf(client);
    await client.open();
    await postMessage(instance, 'before');
    await witness.until(() => witness.contents.length === 1);
    cutter.refuse(true);
    cutter.cut();
    await witness.until(() => client.connection.state === 'waiting');
    await postMessage(instance, 'meanwhile 1');
    await postMessage(instance, 'meanwhile 2');
    cutter.refuse(false);
    await witness.until(() => isCurrent(client) && witness.contents.length === 3);
    await postMessage(instance, 'after');
    await witness.until(() => witness.contents.length === 4);
    expect(witness.contents).toEqual(['before', 'meanwhile 1', 'meanwhile 2', 'after']);
    expect(witness.messages.some(({ isRecovered }) => isRecovered)).toBe(false);
    expect(witness.gaps).toEqual([]);
  });

  test('a client reconnects after longer and longer waits, and reports the reason', async () => {
    await using broken = await cuttableClient(instance, { random: () => 0.01 });
    const { client, cutter } = broken;
    const witness = witnessOf(client);
    await client.open();
    cutter.refuse(true);
    cutter.cut();
    const attempts = () => witness.states.filter((state) => state.state === 'waiting');
    await witness.until(() => attempts().length === 4);
    expect(attempts().map(({ attempt, reason }) => [attempt, reason])).toEqual(
      [1, 2, 3, 4].map((attempt) => [attempt, 'network']),
    );
    cutter.refuse(false);
    await witness.until(() => isCurrent(client));
  });

  test('that is frozen is noticed when no PONG comes', async () => {
    await using broken = await cuttableClient(instance, { requestTimeoutMs: 200 });
    const { client, cutter } = broken;
    const witness = witnessOf(client);
    await client.open();
    // What comes after the freeze would be a sign of life.
    await witness.until(() => client.online !== undefined && client.pauses !== undefined);
    cutter.freeze();
    // What a browser does when it is online again.
    client.gateway.reconnectNow();
    await postMessage(instance, 'into the void');
    await witness.until(() => client.connection.state !== 'open');
    cutter.thaw();
    await witness.until(() => witness.contents.length === 1);
    expect(witness.contents).toEqual(['into the void']);
  });

  test('a connection is tried again at once on request', async () => {
    await using broken = await cuttableClient(instance, { random: () => 0.999 });
    const { client, cutter } = broken;
    const witness = witnessOf(client);
    cutter.refuse(true);
    const opened = client.open();
    await witness.until(() => client.connection.state === 'waiting');
    cutter.refuse(false);
    const { connection } = client;
    if (connection.state !== 'waiting') throw new Error('it waits');
    expect(connection.retryAtMs).toBeGreaterThan(Date.now() - 1_000);
    client.gateway.reconnectNow();
    expect(client.connection).toEqual({ state: 'connecting', attempt: 1 });
    client.gateway.reconnectNow();
    await opened;
  });
});

describe('opening', () => {
  test('opening is given up when its signal aborts, and no further attempt is made', async () => {
    await using broken = await cuttableClient(instance);
    const { client, cutter } = broken;
    cutter.refuse(true);
    const abort = new AbortController();
    const witness = witnessOf(client);
    const opened = client.open({ signal: abort.signal });
    await witness.until(() => client.connection.state === 'waiting');
    abort.abort(new Error('enough'));
    expect(await opened.catch((error) => error.message)).toBe('enough');
    expect(client.connection).toEqual({ state: 'idle' });
    cutter.refuse(false);
    await client.open();
    expect(await client.open({ signal: abort.signal }).catch((error) => error.message)).toBe(
      'enough',
    );
    expect(client.connection.state).toBe('open');
  });

  test('opening continues for the callers that still wait', async () => {
    await using client = await connect(instance.addresses.rest);
    const abort = new AbortController();
    const given = client.open({ signal: abort.signal }).catch(() => 'given up');
    const kept = client.open();
    abort.abort();
    expect(await given).toBe('given up');
    await kept;
    expect(client.connection.state).toBe('open');
  });

  test('opening ends with the client', async () => {
    await using broken = await cuttableClient(instance);
    const { client, cutter } = broken;
    cutter.refuse(true);
    const opened = client.open().catch((error) => error);
    const messages = client.messages();
    const next = messages.next();
    await client.close();
    expect(await opened).toBeInstanceOf(ClosedError);
    expect(await next).toEqual({ done: true, value: undefined });
    expect(await client.messages().next()).toEqual({ done: true, value: undefined });
  });

  test('opening fails with a clear error if there is no WebSocket', async () => {
    const given = globalThis.WebSocket;
    Reflect.deleteProperty(globalThis, 'WebSocket');
    try {
      await using client = await connect(instance.addresses.rest);
      const error = await client.open().catch((reason) => reason);
      expect(error).toBeInstanceOf(HearthError);
      expect(error.message).toContain('WebSocket');
      expect(
        await client
          .messages()
          .next()
          .catch((reason) => reason),
      ).toBeInstanceOf(HearthError);
      await using injected = await connect(instance.addresses.rest, { WebSocket: given });
      await injected.open();
    } finally {
      globalThis.WebSocket = given;
    }
  });

  test('opening ends with the signal that the whole client was given', async () => {
    const abort = new AbortController();
    const client = await connect(instance.addresses.rest, { signal: abort.signal });
    await client.open();
    const reader = client.messages();
    abort.abort(new Error('over'));
    expect(client.connection).toEqual({ state: 'closed' });
    expect(await reader.next()).toEqual({ done: true, value: undefined });
    const error = await client.rest.info().catch((reason) => reason);
    expect(error.message).toBe('over');
    const again = await connect(instance.addresses.rest, { signal: abort.signal }).catch(
      (reason) => reason,
    );
    expect(again.message).toBe('over');
  });
});

describe('an instance that disconnects its clients', () => {
  test('the instance is obeyed: no client comes back before the given time', async () => {
    const own = await startTestInstance();
    await using client = await connect(own.addresses.rest, { random: () => 0 });
    const witness = witnessOf(client);
    await client.open();
    await own.stop();
    await witness.until(() => client.connection.state === 'waiting');
    const { connection } = client;
    expect(connection).toMatchObject({ attempt: 1, reason: 'shutdown' });
    await own[Symbol.asyncDispose]();
  });

  test('for too many connections is not asked to resume what it refused', async () => {
    await using own = await startTestInstance({
      toml: GENEROUS_LIMITS.replace(
        'gateway_connect = { reset_after = 10, limit = 100000 }',
        // Long enough for a slow machine to come back.
        'gateway_connect = { reset_after = 6, limit = 2 }',
      ),
    });
    await using broken = await cuttableClient(own);
    const { client, cutter } = broken;
    const witness = witnessOf(client);
    await client.open();
    await postMessage(own, 'one');
    await witness.until(() => witness.contents.length === 1);
    using _other = await AccountClient.enter(own);
    cutter.cut();
    await witness.until(() =>
      witness.states.some((state) => state.state === 'waiting' && state.reason === 'rate_limited'),
    );
    await postMessage(own, 'two');
    await witness.until(() => witness.contents.length === 2 && isCurrent(client));
    expect(witness.messages.map(({ content, isRecovered }) => [content, isRecovered])).toEqual([
      ['one', undefined],
      ['two', undefined],
    ]);
    expect(witness.gaps).toEqual([]);
    // A connection that is refused was never open.
    expect(witness.states.filter(({ state }) => state === 'open')).toHaveLength(2);
  });
});
