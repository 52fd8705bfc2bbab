import type { LobbyMessage } from '@hearth/protocol';
import { messageListSchema } from '@hearth/protocol/schemas';
import { expect, test } from 'bun:test';
import { removeMessage } from '../src/features/messages/remove-message.ts';
import { postMessage } from './support/post-message.ts';
import { openTestContext } from './support/test-context.ts';
import { startTestInstance, type TestInstance } from './support/test-instance.ts';

/** Limits that get into no test's way, and a history as short as it is given. */
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

async function removeAsOwner(instance: TestInstance, message?: LobbyMessage): Promise<void> {
  if (message === undefined) throw new Error('there is nothing to remove');
  // Open no longer than that: a start waits for it.
  await using owner = await openTestContext(instance);
  await removeMessage(owner, message.id);
}

test('[LB12] the owner removes a message that a running instance has not written yet', async () => {
  await using instance = await startTestInstance();
  for (let round = 0; round < 5; round += 1) {
    await postMessage(instance, `kept ${round}`);
    await postMessage(instance, 'spam');
    const [newest] = await history(instance);
    expect(newest?.content).toBe('spam');
    await removeAsOwner(instance, newest);
    expect(await contents(instance)).not.toContain('spam');
  }
  expect(await contents(instance)).toHaveLength(5);
});

test('[LB6, LB12] a message that is removed makes no room for one that was beyond', async () => {
  await using instance = await startTestInstance({ toml: shortHistory(2) });
  for (const content of ['one', 'two', 'three']) await postMessage(instance, content);
  const [three] = await history(instance);
  await removeAsOwner(instance, three);
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
