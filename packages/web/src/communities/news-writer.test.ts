import { signal } from '@preact/signals';
import type { Id, NotificationSetting } from '@hearth/protocol';
import type { MyCommunity } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { garden, idOf } from '../../test/support/fake-communities.ts';
import type { ReadMark, RemovedCommunity } from './community-source.ts';
import { NewsWriter } from './news-writer.ts';

function written(all: MyCommunity[]) {
  const news = {
    communities: signal<readonly MyCommunity[] | undefined>(undefined),
    removed: signal<ReadonlyMap<Id, RemovedCommunity>>(new Map()),
    marks: signal<ReadonlyMap<Id, ReadMark>>(new Map()),
    settings: signal<ReadonlyMap<Id, NotificationSetting>>(new Map()),
  };
  let mentions = 0;
  const writer = new NewsWriter(
    {
      communities: { isLoaded: true, all: () => [...all], notificationSetting: () => undefined },
      channel: (id) => ({
        readState: { channel_id: id, last_read_id: undefined, isUnread: true, mentions },
        notificationSetting: undefined,
      }),
    },
    news,
  );
  return { writer, news, mention: () => void mentions++ };
}

test('[WC151] a community is known as removed until it is back', () => {
  const community = garden();
  const all = [community];
  const { writer, news } = written(all);
  writer.begin();
  const { slug, name } = community;
  all.length = 0;
  writer.remove(community.id, 'kicked');
  expect(news.communities.value).toEqual([]);
  expect(news.removed.value.get(community.id)).toEqual({ slug, name, reason: 'kicked' });
  all.push(community);
  writer.show(community);
  expect(news.removed.value.size).toBe(0);
  all.length = 0;
  writer.remove(community.id, 'signed_out');
  expect(news.removed.value.size).toBe(0);
});

test('[WC132] the marks of channels that are reported together are written once, as they are then', async () => {
  const { writer, news, mention } = written([garden()]);
  const writes: number[] = [];
  const stop = news.marks.subscribe(({ size }) => void writes.push(size));
  writer.begin();
  for (const id of ['2', '3', '4']) writer.mark(idOf(id));
  mention();
  await Promise.resolve();
  expect(writes).toEqual([0, 3]);
  expect(news.marks.value.get(idOf('2'))?.mentions).toBe(1);
  stop();
});
