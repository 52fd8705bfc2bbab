import type { LobbyMessage } from '@hearth/protocol';
import { messageListSchema } from '@hearth/protocol/schemas';
import { expect, test } from 'bun:test';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { eventOf, postMessage } from '@hearth/testing/clients/post-message';
import { ProfileClient, resumeQuery } from '@hearth/testing/clients/profile-client';
import { rowsIn } from '@hearth/testing/ports/emit-counted';
import { tempFolder } from '@hearth/testing/temp-folder';
import { until } from '@hearth/testing/until';
import { removeAsOwner } from '@hearth/testing/instances/remove-as-owner';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';

/** Limits that affect no test, and a history of the given length. */
const shortHistory = (messages: number) => `
[oprish]
history = { messages = ${messages} }
[oprish.rate_limits]
message_create = { reset_after = 5, limit = 1000 }
message_list = { reset_after = 5, limit = 1000 }
`;

async function history({ addresses }: TestInstance): Promise<readonly LobbyMessage[]> {
  const answer = await fetch(`${addresses.rest}/messages`);
  return messageListSchema.parse(await answer.json());
}

async function contents(instance: TestInstance): Promise<readonly string[]> {
  return (await history(instance)).map(({ content }) => content);
}

test('[LB12] the owner removes a message that a running instance has not written yet', async () => {
  await using instance = await startTestInstance();
  for (let round = 0; round < 5; round += 1) {
    await postMessage(instance, `kept ${round}`);
    await postMessage(instance, 'spam');
    const [newest] = await history(instance);
    expect(newest?.content).toBe('spam');
    await removeAsOwner(instance, newest?.id);
    expect(await contents(instance)).not.toContain('spam');
  }
  expect(await contents(instance)).toHaveLength(5);
});

test('[LB24] clients of profile 1 receive the removal at its position, and those of the documented gateway nothing', async () => {
  await using instance = await startTestInstance();
  using client = await ProfileClient.greeted(instance);
  const documented = await GatewayClient.connect(instance.addresses.gateway);
  await postMessage(instance, 'spam');
  await postMessage(instance, 'ham');
  await client.untilEvents(2);
  const [spam, ham] = client.events.map(({ d }) => d.id);
  await removeAsOwner(instance, spam);
  await client.raw.until(() => client.payloads.length === 4);
  expect(client.raw.texts.at(-1)).toBe(`{"op":"MESSAGE_DELETE","s":3,"d":{"id":"${spam}"}}`);
  await postMessage(instance, 'more');
  await client.untilEvents(3);
  expect(client.events.at(-1)?.s).toBe(4);
  await documented.ping();
  expect(documented.received.slice(0, -1)).toEqual(
    ['spam', 'ham', 'more'].map((content) => eventOf(content)),
  );
  expect((await history(instance)).at(-1)?.id).toBe(ham);
});

test('[LB24] a client that resumes receives a removal in place of the message that was removed', async () => {
  await using instance = await startTestInstance();
  using before = await ProfileClient.greeted(instance);
  await postMessage(instance, 'spam');
  await postMessage(instance, 'ham');
  const [, spam] = await history(instance);
  await removeAsOwner(instance, spam?.id);
  await before.raw.until(() => before.payloads.length === 4);
  using client = await ProfileClient.greeted(instance, resumeQuery(before.hello));
  await client.raw.until(() => client.payloads.length === 4);
  expect(client.hello).toMatchObject({ recovered: true, s: 0 });
  const removal = (position: number) =>
    `{"op":"MESSAGE_DELETE","s":${position},"d":{"id":"${spam?.id}"}}`;
  expect(client.raw.texts.slice(1)).toEqual([removal(1), before.raw.texts[2] ?? '', removal(3)]);
  expect(await contents(instance)).toEqual(['ham']);
});

test('[OB5] removals that the owner commits while nothing runs are published by the next start, and leave no rows', async () => {
  await using folder = await tempFolder();
  const options = { folder: folder.path };
  const instance = await startTestInstance(options);
  await postMessage(instance, 'spam');
  const [spam] = await history(instance);
  await instance.stop();
  await removeAsOwner(instance, spam?.id);
  await using _next = await startTestInstance(options);
  await using owner = await openTestContext(instance);
  await until(async () => (await rowsIn(owner.database)) === 0);
  const subjects = await owner.database.reader.selectFrom('subjects').selectAll().execute();
  expect(subjects).toEqual([{ subject: 'lobby', number: 1 }]);
});

test('[LB6, LB12] the removal of a message brings back no message that was already beyond the limit', async () => {
  await using instance = await startTestInstance({ toml: shortHistory(2) });
  for (const content of ['one', 'two', 'three']) await postMessage(instance, content);
  const [three] = await history(instance);
  await removeAsOwner(instance, three?.id);
  expect(await contents(instance)).toEqual(['two']);
  await postMessage(instance, 'four');
  expect(await contents(instance)).toEqual(['four']);
  await instance.stop();
  await using next = await startTestInstance({
    folder: instance.folder,
    toml: shortHistory(2),
  });
  expect(await contents(next)).toEqual(['four']);
});
