import { signal } from '@preact/signals';
import type { Id, NotificationSetting } from '@hearth/protocol';
import type { MyCommunity } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { garden, idOf } from '../../test/support/fake-communities.ts';
import type { Mention, ReadMark, RemovedCommunity } from './community-source.ts';
import { NewsWriter } from './news-writer.ts';

function written(all: MyCommunity[]) {
  const news = {
    communities: signal<readonly MyCommunity[] | undefined>(undefined),
    removed: signal<ReadonlyMap<Id, RemovedCommunity>>(new Map()),
    mention: signal<Mention | undefined>(undefined),
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
    () => 1_000,
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

test('[WC151] the reason of a removal is known as soon as it comes, and never again', () => {
  const community = garden();
  const all = [community];
  const { writer, news } = written(all);
  writer.begin();
  const reason = () => news.removed.value.get(community.id)?.reason;
  all.length = 0;
  writer.remove(community.id, undefined);
  writer.remove(community.id, 'left');
  expect([news.removed.value.size, reason()]).toEqual([1, undefined]);
  writer.remove(community.id, 'kicked');
  expect(reason()).toBe('kicked');
  writer.remove(community.id, 'banned');
  expect(reason()).toBe('kicked');
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

test('[WC64] a mention has the text of its message, if that has come', () => {
  const { writer, news } = written([garden()]);
  const notice = {
    id: idOf('900'),
    kind: 'mention',
    user: { id: idOf('7'), username: 'alan' },
    community_id: idOf('1'),
    channel_id: idOf('2'),
    message_id: idOf('501'),
    created_at: 0,
  } as const;
  const author = 'alan';
  const content = 'hello @ada';
  const message = { channel_id: idOf('2'), author, content, created_at: 0, version: 1 };
  const post = (id: string) =>
    writer.post({
      message: { ...message, id: idOf(id) },
      community_id: idOf('1'),
      isMention: false,
      isOwn: false,
    });
  post('501');
  writer.concern({ ...notice, read: true });
  expect(news.mention.value).toBeUndefined();
  writer.concern(notice);
  expect(news.mention.value).toMatchObject({ channel: { name: 'general' }, author, content });
  for (let id = 502; id < 560; id += 1) post(String(id));
  writer.concern({ ...notice, message_id: idOf('502') });
  expect(news.mention.value?.content).toBe('');
});

test('[WC177] a channel notifies of what the reader has chosen there, in its community, or of mentions, and of each message once', () => {
  const { writer, news } = written([garden()]);
  const shown: (string | undefined)[] = [];
  const stop = news.mention.subscribe((mention) => void shown.push(mention?.content));
  let number = 500;
  const post = (content: string, posted: { isMention?: boolean; isOwn?: boolean } = {}) => {
    const ids = { id: idOf(String((number += 1))), channel_id: idOf('3') };
    const message = { ...ids, author: 'alan', content, created_at: 1, version: 1 };
    const how = { isMention: false, isOwn: false, ...posted };
    writer.post({ community_id: idOf('1'), message, ...how });
    return { message_id: ids.id, channel_id: ids.channel_id };
  };
  post('hello');
  const named = post('@ada', { isMention: true });
  const user = { id: idOf('7'), username: 'alan' };
  const notice = { id: idOf('900'), kind: 'mention', user, created_at: 0 } as const;
  writer.concern({ ...notice, ...named, community_id: idOf('1') });
  writer.choose({ channel_id: idOf('3'), level: 'all' });
  post('to all');
  writer.choose({ community_id: idOf('1'), level: 'none' });
  post('to all again');
  writer.choose({ channel_id: idOf('3') });
  post('@all', { isMention: true });
  writer.choose({ community_id: idOf('1'), level: 'all' });
  post('of mine', { isOwn: true });
  post('in the community');
  writer.choose({ community_id: idOf('1'), level: 'all', muted_until: 2_000 });
  post('@ada, muted', { isMention: true });
  expect(shown).toEqual([undefined, '@ada', 'to all', 'to all again', 'in the community']);
  stop();
});
