import { signal } from '@preact/signals';
import type { Id } from '@hearth/protocol';
import type { MyCommunity } from '@hearth/sdk';
import { manualClock, settled } from '@hearth/testing/manual-clock';
import { expect, test } from 'bun:test';
import { garden, idOf } from '../../test/support/fake-communities.ts';
import { memoryKeptStorage } from '../../test/support/memory-kept-storage.ts';
import type { KeptStorage } from '../lib/kept-storage.ts';
import { KeptCommunities } from './kept-communities.ts';

const ADA = idOf('7');

function page(storage: KeptStorage, owner: Id | undefined) {
  const communities = signal<readonly MyCommunity[] | undefined>(undefined);
  const clock = manualClock();
  const kept = new KeptCommunities({ communities, storage, key: 'k', owner, clock });
  return { communities, clock, kept };
}

test('[WC153] communities are there again in a page that cannot reach the instance, for the same account', async () => {
  const storage = memoryKeptStorage(new Map());
  const first = page(storage, ADA);
  first.communities.value = [garden()];
  await first.clock.advance(2_000);
  await settled();
  const later = page(storage, ADA);
  await later.kept.show();
  expect(later.communities.value).toEqual([garden()]);
  // What the instance says is not replaced.
  const news = page(storage, ADA);
  news.communities.value = [];
  await news.kept.show();
  expect(news.communities.value).toEqual([]);
  const other = page(storage, idOf('8'));
  await other.kept.show();
  expect(other.communities.value).toBeUndefined();
});

test('[WC153] nothing of them is kept after somebody has signed out', async () => {
  const storage = memoryKeptStorage(new Map());
  const first = page(storage, ADA);
  first.communities.value = [garden()];
  await first.clock.advance(2_000);
  await settled();
  page(storage, undefined);
  await settled();
  expect(await storage.read('k')).toBeUndefined();
});
