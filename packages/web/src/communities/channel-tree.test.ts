import { expect, test } from 'bun:test';
import { channelsInOrder, channelTree } from './channel-tree.ts';
import { channel } from '../../test/support/fake-communities.ts';

test('channels without a category come first, then each category with its channels, by their positions', () => {
  const tree = channelTree([
    channel('4', 'later', { position: 5, category: '9' }),
    channel('9', 'Workshops', { position: 3, kind: 'category' }),
    channel('2', 'general', { position: 1 }),
    channel('3', 'tools', { position: 4, category: '9' }),
    channel('8', 'Empty', { position: 6, kind: 'category' }),
  ]);
  const names = tree.map(({ category, channels }) => [
    category?.name,
    ...channels.map(({ name }) => name),
  ]);
  expect(names).toEqual([[undefined, 'general'], ['Workshops', 'tools', 'later'], ['Empty']]);
});

test('a channel whose category is hidden stands without one', () => {
  const channels = [channel('2', 'general', { position: 1, category: '9' })];
  expect(channelTree(channels)).toEqual([{ category: undefined, channels }]);
  expect(channelsInOrder(channels)).toEqual(channels);
});
