import { parseId } from '@hearth/protocol';
import { RateLimitedError, type Reaction } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { OwnChanges, reactionKey } from './own-changes.ts';
import { setReaction } from './set-reaction.ts';

test('[WC118] what the reader wants last is shown until the instance has answered that', async () => {
  const id = parseId('1') ?? expect.unreachable();
  const emoji = '👍';
  const changes = new OwnChanges();
  const [added, removed] = [
    Promise.withResolvers<Reaction>(),
    Promise.withResolvers<Reaction>(),
  ] as const;
  const source = { addReaction: () => added.promise, removeReaction: () => removed.promise };
  const wanted = () => changes.wanted.value.get(reactionKey(id, emoji));
  const adding = setReaction({ source, changes }, { id, emoji }, true);
  expect(wanted()).toBe(true);
  const removing = setReaction({ source, changes }, { id, emoji }, false);
  added.resolve({ emoji, count: 1, mine: true });
  await adding;
  expect(wanted()).toBe(false);
  removed.resolve({ emoji, count: 0 });
  await removing;
  expect(wanted()).toBeUndefined();
});

test('[WC399] why a reaction failed is kept if its place was busy, until the next one', async () => {
  const id = parseId('1') ?? expect.unreachable();
  const changes = new OwnChanges();
  const busy = new RateLimitedError('Too much', 1_000, 'busy');
  const answers = [Promise.reject(busy), Promise.resolve({ emoji: '👍', count: 1 })];
  const react = () => answers.shift() ?? expect.unreachable();
  const setting = { source: { addReaction: react, removeReaction: react }, changes };
  const setAgain = () => setReaction(setting, { id, emoji: '👍' }, true);
  expect(await setAgain().catch((error: unknown) => error)).toBe(busy);
  expect(changes.failure.value).toBe(busy);
  await setAgain();
  expect(changes.failure.value).toBeUndefined();
});
