import { signal } from '@preact/signals';
import type { Id, Notification, NotificationSetting } from '@hearth/protocol';
import type { MyCommunity } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { garden, idOf } from '../../test/support/fake-communities.ts';
import type { Mention, ReadMark, RemovedCommunity } from './community-source.ts';
import type { ReaderInbox } from './inbox/reader-inbox.ts';
import { NewsWriter } from './news-writer.ts';

function written(all: MyCommunity[]) {
  const news = {
    communities: signal<readonly MyCommunity[] | undefined>(undefined),
    removed: signal<ReadonlyMap<Id, RemovedCommunity>>(new Map()),
    mention: signal<Mention | undefined>(undefined),
    inbox: signal<ReaderInbox | undefined>(undefined),
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

/** A notification about a message of the channel 2. */
function noticeOf(id: string): Notification {
  return {
    id: idOf(id),
    kind: 'mention',
    user: { id: idOf('7'), username: 'alan' },
    community_id: idOf('1'),
    channel_id: idOf('2'),
    message_id: idOf(id),
    created_at: 0,
  };
}

test('[WC64] a mention has the text of its message, as soon as that is known', () => {
  const { writer, news } = written([garden()]);
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
  writer.concern({ ...noticeOf('501'), read: true });
  expect(news.mention.value).toBeUndefined();
  writer.concern(noticeOf('501'));
  expect(news.mention.value).toMatchObject({ channel: { name: 'general' }, author, content });
  for (let id = 502; id < 560; id += 1) post(String(id));
  writer.concern(noticeOf('502'));
  expect(news.mention.value?.path).toBe('/c/garden/2/501');
  writer.found([{ ...noticeOf('502'), excerpt: 'from the list' }]);
  expect(news.mention.value).toMatchObject({
    path: '/c/garden/2/502',
    content: 'from the list',
  });
});

test('[WC64][WC64a] a reply in a comment is announced once, with its words and its place, when the list has them', () => {
  const { writer, news } = written([garden()]);
  const shown: (string | undefined)[] = [];
  const stop = news.mention.subscribe((mention) => void shown.push(mention?.content));
  const { message_id: _, ...about } = noticeOf('700');
  const reply = { ...about, kind: 'reply', post_id: idOf('600'), comment_id: idOf('700') } as const;
  writer.concern(reply);
  expect([shown, writer.inbox.value.version]).toEqual([[undefined], 1]);
  const found = { ...reply, post_title: 'Ripe plums?', excerpt: 'yes, ||all||' };
  writer.found([found, { ...noticeOf('500'), excerpt: 'an old one' }]);
  writer.found([found]);
  expect(shown).toEqual([undefined, 'yes, ||all||']);
  expect(news.mention.value?.path).toBe('/c/garden/p/600/ripe-plums/700');
  stop();
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
  writer.concern({ ...noticeOf(named.message_id), ...named });
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
