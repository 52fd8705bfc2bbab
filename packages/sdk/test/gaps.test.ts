import { parseId, type Id } from '@hearth/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { OWNER } from '../../server/src/actor.ts';
import { removeMessage } from '../../server/src/features/talk/lobby/remove-message.ts';
import { postMessage } from '@hearth/testing/clients/post-message';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { tempFolder } from '@hearth/testing/temp-folder';
import { cuttableClient, type CuttableClient } from './support/cuttable-client.ts';
import { isCurrent, witnessOf, type Witness } from '@hearth/testing/clients/witness';

/** An instance that keeps no events to resume from, so that a client that was away needs the history. */
function forgetful(history: number): Promise<TestInstance> {
  const toml = `[oprish.history]\nmessages = ${history}\n${GENEROUS_LIMITS}[pandemonium.replay]\nevents = 0\n`;
  return startTestInstance({ toml });
}

let instance: TestInstance;

beforeAll(async () => {
  instance = await forgetful(10_000);
});

afterAll(async () => {
  await instance[Symbol.asyncDispose]();
});

/** Posts while the client is away, and lets it come back. */
async function whileAway(
  { cutter, client }: CuttableClient,
  witness: Witness,
  run: () => Promise<void>,
): Promise<void> {
  cutter.refuse(true);
  cutter.cut();
  await witness.until(() => client.connection.state === 'waiting');
  await run();
  cutter.refuse(false);
  client.gateway.reconnectNow();
}

async function postAll(of: TestInstance, count: number, prefix = 'm'): Promise<string[]> {
  const contents = Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  for (const content of contents) await postMessage(of, content);
  return contents;
}

describe('what was missed and cannot be resumed', () => {
  test.each([0, 1, 99, 100, 101, 250])(
    'missed messages are read from the history: %i messages, each once, in order, and marked',
    async (count) => {
      await using broken = await cuttableClient(instance);
      const { client } = broken;
      const witness = witnessOf(client);
      await client.open();
      await postMessage(instance, 'before');
      await witness.until(() => witness.contents.length === 1);
      let missed: string[] = [];
      await whileAway(broken, witness, async () => {
        missed = await postAll(instance, count);
      });
      await witness.until(() => isCurrent(client));
      await postMessage(instance, 'after');
      await witness.until(() => witness.contents.at(-1) === 'after');
      expect(witness.contents).toEqual(['before', ...missed, 'after']);
      const recovered = witness.messages.filter(({ isRecovered }) => isRecovered);
      expect(recovered.map(({ content }) => content)).toEqual(missed);
      expect(witness.gaps).toEqual([]);
      const open = witness.states.filter(({ state }) => state === 'open');
      const isTold = open.map((state) => state.state === 'open' && state.isCurrent);
      expect(isTold).toEqual(count === 0 ? [true, true] : [true, false, true]);
    },
  );

  test('missed messages are also read if no message had been seen before', async () => {
    await using broken = await cuttableClient(instance);
    const { client } = broken;
    const witness = witnessOf(client);
    await client.open();
    await whileAway(broken, witness, async () => void (await postAll(instance, 3)));
    await witness.until(() => isCurrent(client));
    expect(witness.contents).toEqual(['m0', 'm1', 'm2']);
    expect(witness.gaps).toEqual([]);
  });

  test('missed messages are also read if nobody had ever posted anything', async () => {
    await using quiet = await forgetful(100);
    await using broken = await cuttableClient(quiet);
    const { client } = broken;
    const witness = witnessOf(client);
    await client.open();
    await whileAway(broken, witness, async () => void (await postAll(quiet, 2)));
    await witness.until(() => isCurrent(client));
    expect(witness.contents).toEqual(['m0', 'm1']);
    expect(witness.gaps).toEqual([]);
  });

  test('the history is not requested if nothing was missed', async () => {
    await using broken = await cuttableClient(instance);
    const { client, restCutter } = broken;
    const witness = witnessOf(client);
    await client.open();
    const { connections } = restCutter;
    restCutter.cut();
    await whileAway(broken, witness, async () => undefined);
    await witness.until(() => isCurrent(client));
    expect(restCutter.connections).toBe(connections);
    expect(witness.gaps).toEqual([]);
  });

  test('missed messages are also read if the owner has removed the last seen message meanwhile', async () => {
    await using broken = await cuttableClient(instance);
    const { client } = broken;
    const witness = witnessOf(client);
    await client.open();
    await postAll(instance, 2, 'seen');
    await witness.until(() => witness.contents.length === 2);
    const last = witness.messages.at(-1)?.id;
    await whileAway(broken, witness, async () => {
      await postAll(instance, 2);
      await remove(instance, last);
    });
    await witness.until(() => isCurrent(client));
    expect(witness.contents).toEqual(['seen0', 'seen1', 'm0', 'm1']);
    expect(witness.gaps).toEqual([]);
  });

  test('missed messages are read after a restart of the instance', async () => {
    await using folder = await tempFolder();
    const toml = GENEROUS_LIMITS;
    const before = await startTestInstance({ folder: folder.path, toml });
    await using broken = await cuttableClient(before);
    const { client } = broken;
    const witness = witnessOf(client);
    await client.open();
    await postMessage(before, 'before');
    await witness.until(() => witness.contents.length === 1);
    const env = portsOf(before);
    broken.cutter.cut();
    broken.cutter.refuse(true);
    await postMessage(before, 'last');
    await before[Symbol.asyncDispose]();
    await using after = await startTestInstance({ folder: folder.path, toml, env });
    await postMessage(after, 'first');
    broken.cutter.refuse(false);
    await witness.until(() => isCurrent(client) && witness.contents.length === 3);
    expect(witness.contents).toEqual(['before', 'last', 'first']);
    expect(witness.gaps).toEqual([]);
  });
});

describe('a gap remains, and is reported at its place,', () => {
  test('if the history does not reach back to it', async () => {
    await using short = await forgetful(3);
    await using broken = await cuttableClient(short);
    const { client } = broken;
    const witness = witnessOf(client);
    await client.open();
    await postMessage(short, 'before');
    await witness.until(() => witness.contents.length === 1);
    const contentsAtGap: number[] = [];
    client.on('gap', () => contentsAtGap.push(witness.contents.length));
    await whileAway(broken, witness, async () => void (await postAll(short, 5)));
    await witness.until(() => isCurrent(client));
    expect(witness.contents).toEqual(['before', 'm2', 'm3', 'm4']);
    expect(witness.gaps).toHaveLength(1);
    expect(witness.gaps[0]?.afterId).toBe(known(witness.messages[0]?.id));
    expect(contentsAtGap).toEqual([1]);
  });

  test('if the instance keeps no history', async () => {
    await using without = await forgetful(0);
    await using broken = await cuttableClient(without);
    const { client } = broken;
    const witness = witnessOf(client);
    await client.open();
    await whileAway(broken, witness, async () => void (await postAll(without, 1)));
    await witness.until(() => isCurrent(client));
    await postMessage(without, 'after');
    await witness.until(() => witness.contents.length === 1);
    expect(witness.contents).toEqual(['after']);
    expect(witness.gaps).toHaveLength(1);
    const [gap] = witness.gaps;
    expect(gap?.untilMs).toBeGreaterThan(gap?.fromMs ?? Infinity);
  });
});

test('a history that cannot be reached is retried until it can, and live messages wait their turn', async () => {
  await using broken = await cuttableClient(instance);
  const { client, restCutter } = broken;
  const witness = witnessOf(client);
  await client.open();
  await postMessage(instance, 'before');
  await witness.until(() => witness.contents.length === 1);
  await whileAway(broken, witness, async () => {
    await postMessage(instance, 'missed');
    restCutter.refuse(true);
    restCutter.cut();
  });
  await witness.until(() => client.connection.state === 'open');
  const { connections } = restCutter;
  await postMessage(instance, 'live');
  while (restCutter.connections < connections + 3) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(witness.contents).toEqual(['before']);
  expect(isCurrent(client)).toBe(false);
  restCutter.refuse(false);
  await witness.until(() => isCurrent(client));
  expect(witness.contents).toEqual(['before', 'missed', 'live']);
  expect(witness.gaps).toEqual([]);
});

test('a connection that breaks while a gap is being filled loses no message', async () => {
  await using broken = await cuttableClient(instance);
  const { client, cutter, restCutter } = broken;
  const witness = witnessOf(client);
  await client.open();
  await postMessage(instance, 'before');
  await witness.until(() => witness.contents.length === 1);
  await whileAway(broken, witness, async () => {
    await postAll(instance, 150);
    restCutter.refuse(true);
    restCutter.cut();
  });
  await witness.until(() => client.connection.state === 'open');
  await postMessage(instance, 'live');
  cutter.cut();
  await witness.until(() => client.connection.state === 'waiting');
  restCutter.refuse(false);
  await witness.until(() => isCurrent(client));
  expect(witness.contents).toHaveLength(152);
  expect(new Set(witness.contents).size).toBe(152);
  expect(witness.contents.at(-1)).toBe('live');
  expect(witness.gaps).toEqual([]);
});

function known(id: Id | undefined): Id {
  if (id === undefined) throw new Error('Hearth sends the id');
  return id;
}

async function remove(of: TestInstance, id: string | undefined): Promise<void> {
  const parsed = parseId(id ?? '');
  if (parsed === undefined) throw new Error('Hearth sends the id');
  await using owner = await openTestContext(of);
  await removeMessage(owner, OWNER, parsed);
}

function portsOf({ addresses }: TestInstance): Record<string, string> {
  const port = (url: string) => new URL(url).port;
  return {
    OPRISH_PORT: port(addresses.rest),
    PANDEMONIUM_PORT: port(addresses.gateway),
    EFFIS_PORT: port(addresses.files),
  };
}
