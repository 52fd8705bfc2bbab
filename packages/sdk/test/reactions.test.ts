import { GENEROUS_LIMITS, startTestInstance } from '@hearth/testing/instances/test-instance';
import { witnessOf } from '@hearth/testing/clients/witness';
import { until } from '@hearth/testing/until';
import { expect, test } from 'bun:test';
import {
  connect,
  UnauthorizedError,
  withReaction,
  type IncomingMessage,
  type ReactionChange,
} from '../src/index.ts';

const PASSWORD = 'correct horse battery';

test('[SK30] somebody with an account changes, deletes and reacts to messages, and everyone hears of it', async () => {
  const toml = `registration = "open"\n${GENEROUS_LIMITS}`;
  await using instance = await startTestInstance({ toml });
  await using ada = await connect(instance.addresses.rest, { author: 'ada' });
  await using guest = await connect(instance.addresses.rest, { author: 'eve' });
  const account = { username: 'ada', email: 'ada@example.org', password: PASSWORD };
  const registered = await ada.register(account);
  const user = { id: registered.user.id, username: 'ada' };
  const witness = witnessOf(guest);
  const updated: IncomingMessage[] = [];
  const deleted: string[] = [];
  const reactions: ReactionChange[] = [];
  guest.on('messageUpdate', (message) => updated.push(message));
  guest.on('messageDelete', ({ id }) => deleted.push(id));
  guest.on('reaction', (change) => reactions.push(change));
  await Promise.all([guest.open(), ada.open()]);
  const posted = await ada.send('one');
  await witness.until(() => witness.messages.length === 1);
  const [message] = witness.messages;
  if (message?.id === undefined) throw new Error('a message without an id');
  expect<object>(posted).toEqual({ author: 'ada', content: 'one', id: message.id });
  expect(message).toMatchObject({ author: 'ada', user });
  const heart = { id: message.id, emoji: '❤️' };
  expect(await ada.rest.addReaction(heart)).toEqual({ emoji: '❤', count: 1, mine: true });
  expect(await guest.rest.listReacted(heart)).toEqual([user]);
  const edited = await ada.rest.changeMessage({ id: message.id, content: 'two' });
  expect(edited).toMatchObject({ content: 'two', version: 3 });
  await ada.rest.removeReaction(heart);
  await expect(message.edit('three')).rejects.toBeInstanceOf(UnauthorizedError);
  await ada.rest.deleteMessage(message.id);
  await until(async () => deleted.length === 1);
  expect(updated).toMatchObject([{ content: 'two', reactions: [{ emoji: '❤', count: 1 }] }]);
  expect(reactions.map(({ isAdded, count, version }) => [isAdded, count, version])).toEqual([
    [true, 1, 2],
    [false, 0, 4],
  ]);
  expect(deleted).toEqual([message.id]);
});

test('[SK30] a reaction is applied to a message once, whichever of both is newer', () => {
  const change: ReactionChange = {
    id: '1' as never,
    emoji: '👍',
    count: 2,
    user_id: '7' as never,
    version: 3,
    isAdded: true,
  };
  const message = { id: '1' as never, version: 2, reactions: [{ emoji: '👍', count: 1 }] };
  const changed = { ...message, version: 3, reactions: [{ emoji: '👍', count: 2 }] };
  expect(withReaction(message, change)).toEqual(changed);
  expect(withReaction(changed, change)).toBe(changed);
  expect<unknown>(withReaction(message, change, '7' as never).reactions).toEqual([
    { emoji: '👍', count: 2, mine: true },
  ]);
  const gone = withReaction(changed, { ...change, count: 0, version: 4, isAdded: false });
  expect(gone).toEqual({ ...changed, version: 4, reactions: [] });
});
