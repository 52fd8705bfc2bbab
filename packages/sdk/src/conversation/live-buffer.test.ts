import { parseId } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { LiveBuffer } from './live-buffer.ts';

test('reactions to one message count one by one among the changes that may wait for a page', () => {
  const id = parseId('1') ?? expect.unreachable();
  const buffer = new LiveBuffer(3);
  buffer.asking();
  const react = (version: number) =>
    buffer.react({ id, emoji: '👍', count: version, user_id: id, version, isAdded: true });
  for (const version of [2, 3, 4]) react(version);
  expect(buffer.hasLostChanges).toBe(false);
  expect(buffer.updated({ id })).toMatchObject({ version: 4 });
  react(5);
  expect(buffer.hasLostChanges).toBe(true);
  buffer.asking();
  react(6);
  expect(buffer.hasLostChanges).toBe(false);
});
