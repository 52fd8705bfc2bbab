import { parseId } from '@hearth/protocol';
import type { Reaction } from '@hearth/sdk';
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
