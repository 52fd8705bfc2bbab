import { startDocumentedServer } from '@hearth/testing/clients/documented-server';
import { startScriptedLobby } from '@hearth/testing/clients/scripted-lobby';
import { startTestInstance } from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { expect, test } from 'bun:test';
import { connect, FeatureUnavailableError } from '../src/index.ts';

test('[ON1][ON4] a client knows how many are connected while it is connected itself', async () => {
  await using instance = await startTestInstance();
  const one = await connect(instance.addresses.rest);
  const counts: (number | undefined)[] = [];
  one.on('online', ({ count }) => void counts.push(count));
  expect(one.online).toBeUndefined();
  await one.open();
  await until(async () => one.online === 1);
  await using other = await connect(instance.addresses.rest);
  await other.open();
  await until(async () => one.online === 2 && other.online === 2);
  await until(async () => (await other.rest.countOnline()) === 2);
  await one.close();
  expect(one.online).toBeUndefined();
  expect(counts).toEqual([1, 2, undefined]);
});

test('[ON1] a client asks only an instance that lists the feature', async () => {
  await using server = startScriptedLobby();
  await using client = await connect(server.url);
  const opened = client.open();
  await server.greet();
  await opened;
  expect(server.seen.filter((line) => line.startsWith('CONNECT'))).toEqual(['CONNECT /?v=1']);
  expect(client.online).toBeUndefined();
});

test('[ON4] a documented server has no such number', async () => {
  await using server = startDocumentedServer();
  await using client = await connect(server.url);
  const error = await client.rest.countOnline().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FeatureUnavailableError);
});
