import { signal } from '@preact/signals';
import { expect, test } from 'bun:test';
import type { MyCommunity } from '@hearth/sdk';
import { channel as general, garden, idOf } from '../../test/support/fake-communities.ts';
import { lastingChannel, ownChannel } from './create-channel.ts';

test("[WC150] a channel is found among the reader's own, whatever the slug of its community is", () => {
  expect(ownChannel([garden({ slug: 'orchard' })], idOf('3'))?.name).toBe('tools');
  expect(ownChannel([garden()], idOf('4'))).toBeUndefined();
  expect(ownChannel(undefined, idOf('3'))).toBeUndefined();
});

test('[WC152] a channel that moves from one stream to another stays as it was, for members', () => {
  const own = signal<readonly MyCommunity[] | undefined>([garden()]);
  const tools = lastingChannel(own, idOf('3'));
  expect(tools.value?.name).toBe('tools');
  own.value = [garden({ channels: [general('2', 'general')] })];
  expect(tools.value?.name).toBe('tools');
  own.value = [garden({ channels: [general('3', 'spades')] })];
  expect(tools.value?.name).toBe('spades');
  own.value = [];
  expect(tools.value).toBeUndefined();
});
