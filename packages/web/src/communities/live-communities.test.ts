import { signal } from '@preact/signals';
import type { Id } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import type { RemovedCommunity } from './community-source.ts';
import { channel, idOf } from '../../test/support/fake-communities.ts';
import { markNewestRead, noteRemoved } from './live-communities.ts';

test('[WC136] a channel is marked as read up to the newest message that has come, if there is one', async () => {
  const marked: string[] = [];
  const general = channel('2', 'general');
  let info: typeof general | undefined = general;
  const client = {
    get info() {
      return info;
    },
    markRead: async (id: string) => void marked.push(id),
  };
  await markNewestRead(client);
  info = { ...general, last_id: idOf('501') };
  await markNewestRead(client);
  info = undefined;
  await markNewestRead(client);
  expect(marked).toEqual(['500', '501']);
});

test('[WC151] a community is known as removed until it is back', () => {
  const removed = signal<ReadonlyMap<Id, RemovedCommunity>>(new Map());
  const before = removed.value;
  noteRemoved({ removed }, idOf('1'), undefined);
  expect(removed.value).toBe(before);
  const community = { slug: 'garden', name: 'Garden', reason: 'kicked' } as const;
  noteRemoved({ removed }, idOf('1'), community);
  expect(removed.value.get(idOf('1'))).toBe(community);
  noteRemoved({ removed }, idOf('1'), undefined);
  expect(removed.value.size).toBe(0);
});
