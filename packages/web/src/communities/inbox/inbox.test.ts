import { signal } from '@preact/signals';
import type { Notification } from '@hearth/protocol';
import { NotFoundError } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import { FakeCommunities, garden, idOf } from '../../../test/support/fake-communities.ts';
import type { CommunityRequests } from '../community-source.ts';
import { Inbox } from './inbox.ts';
import { NO_INBOX_NEWS, type InboxNews } from './inbox-news.ts';

/** A reply in a comment; a mention in a message if `message` is given. */
function notice(id: string, parts: Partial<Notification> = {}): Notification {
  return {
    ...{ id: idOf(id), kind: 'reply', user: { id: idOf('7'), username: 'alan' } },
    ...{ community_id: idOf('1'), channel_id: idOf('2'), created_at: 0 },
    ...parts,
  };
}

const comment = (id: string) => notice(id, { post_id: idOf('600'), comment_id: idOf(id) });
const mention = (id: string) => notice(id, { kind: 'mention', message_id: idOf(id) });

/** An inbox that the instance answers with these. */
async function opened(entries: Notification[], requests: Partial<CommunityRequests> = {}) {
  const asked: (string | undefined)[] = [];
  const {
    news,
    store,
    requests: all,
  } = new FakeCommunities({
    notifications: (cursor) => {
      asked.push(cursor);
      return Promise.resolve({ entries: [...entries], next: undefined });
    },
    ...requests,
  });
  news.communities.value = [garden()];
  const said = signal(NO_INBOX_NEWS);
  const inbox = new Inbox({ ...news, news: said, requests: all });
  const stop = inbox.start();
  news.inbox.value = inbox;
  const say = async (more: Partial<InboxNews>) => {
    said.value = { ...said.value, ...more };
    await Bun.sleep(0);
  };
  await say({ version: 1 });
  return { news, store, inbox, entries, asked, say, stop };
}

test('[WC230] the list is read when something comes, and at no other time', async () => {
  const { inbox, entries, asked, say, stop } = await opened([]);
  expect([asked.length, inbox.unread.value.count]).toEqual([1, 0]);
  await say({ readUpTo: idOf('1') });
  expect(asked.length).toBe(1);
  entries.unshift(comment('700'));
  await say({ version: 2 });
  expect(inbox.unread.value).toEqual({ count: 1, isMore: false });
  stop();
});

test('[WC231] a notification is read with the list, its channel or its post, on any device', async () => {
  const all = [comment('703'), mention('702'), mention('701'), comment('700')];
  const { inbox, news, say, stop } = await opened(all);
  const count = () => inbox.unread.value.count;
  expect(count()).toBe(4);
  news.marks.value = new Map([
    [idOf('2'), { isUnread: true, mentions: 1, lastReadId: idOf('701') }],
  ]);
  expect(count()).toBe(3);
  await say({ readIds: new Set([idOf('700')]) });
  expect(count()).toBe(2);
  await say({ readUpTo: idOf('702') });
  expect(count()).toBe(1);
  await say({ readUpTo: idOf('703') });
  expect(count()).toBe(0);
  stop();
});

test('[WC65][WC65a] replies, and mentions in comments, are counted with the mentions of channels, and nothing twice', async () => {
  const reply = notice('704', { message_id: idOf('704') });
  const named = { ...comment('703'), kind: 'mention' } as const;
  const { store, news, stop } = await opened([reply, named, mention('702'), comment('700')]);
  news.marks.value = new Map([[idOf('2'), { isUnread: true, mentions: 1 }]]);
  expect([store.mentions.value, store.concerns.value]).toEqual([1, 4]);
  stop();
});

test('[WC230] an entry in a community that the reader has left has its place, too, and one of an unknown community leads nowhere', async () => {
  const elsewhere = notice('705', {
    ...{ community_id: idOf('9'), channel_id: idOf('90') },
    ...{ post_id: idOf('600'), comment_id: idOf('705'), post_title: 'Plums' },
  });
  const { inbox, stop } = await opened([elsewhere, notice('706', { community_id: idOf('8') })], {
    findById: (id) =>
      id === idOf('9')
        ? Promise.resolve(garden({ id, slug: 'orchard', name: 'Orchard' }))
        : Promise.reject(new NotFoundError('nothing')),
    channelsOf: () => Promise.resolve([]),
  });
  await Bun.sleep(0);
  expect(inbox.placeOf(elsewhere)).toEqual({
    community: 'Orchard',
    channel: undefined,
    path: '/c/orchard/p/600/plums/705',
  });
  expect(inbox.placeOf(notice('706', { community_id: idOf('8') }))).toBeUndefined();
  stop();
});

test('[WC230] a place that could not be requested is requested again with the list, and one that is hidden is not', async () => {
  const at = (id: string, community: string) => notice(id, { community_id: idOf(community) });
  const asked: string[] = [];
  const { inbox, entries, say, stop } = await opened([at('707', '9'), at('708', '8')], {
    findById: (id) => {
      asked.push(id);
      if (id === idOf('8')) return Promise.reject(new NotFoundError('nothing'));
      if (asked.length < 3) return Promise.reject(new Error('no connection'));
      return Promise.resolve(garden({ id, slug: 'orchard', name: 'Orchard' }));
    },
    channelsOf: () => Promise.resolve([]),
  });
  await Bun.sleep(0);
  entries.unshift(at('709', '9'));
  await say({ version: 2 });
  expect(asked).toEqual([idOf('9'), idOf('8'), idOf('9')]);
  expect(inbox.placeOf(at('709', '9'))?.community).toBe('Orchard');
  stop();
});

test('[WC65][WC65a] a mention that was read here or with its post no longer counts in its channel', async () => {
  const inPost = notice('703', { kind: 'mention', post_id: idOf('703') });
  const { store, inbox, news, say, stop } = await opened([inPost, mention('702'), mention('701')]);
  const mark = { isUnread: true, mentions: 3 };
  news.marks.value = new Map([[idOf('2'), mark]]);
  const shown = () => store.marks.ofChannel({ id: idOf('1') }, { id: idOf('2') }).mentions;
  expect([shown(), store.concerns.value]).toEqual([3, 3]);
  await say({ readIds: new Set([idOf('703')]) });
  expect([shown(), store.concerns.value]).toEqual([2, 2]);
  // The instance counts from the mark of the channel.
  news.marks.value = new Map([[idOf('2'), { ...mark, mentions: 2, lastReadId: idOf('701') }]]);
  expect(shown()).toBe(1);
  await say({ readUpTo: idOf('703') });
  expect([shown(), inbox.unread.value.count]).toEqual([0, 0]);
  stop();
});
