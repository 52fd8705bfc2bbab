import type { ChannelMessage, FoundAnywhere, Id } from '@hearth/protocol';
import { manualClock } from '@hearth/testing/manual-clock';
import { expect, test } from 'bun:test';
import { idOf } from '../../test/support/fake-communities.ts';
import { post } from '../../test/support/fake-posts.ts';
import { clientSource, type SearchedClient } from './client-source.ts';
import { EMPTY_FIELDS } from './search-fields.ts';
import { Search } from './search.ts';

/** The message of that number in a channel. */
const message = (id: number, channel: number, content = `no. ${id}`): ChannelMessage => ({
  id: idOf(String(id)),
  channel_id: idOf(String(channel)),
  author: 'ada',
  content,
  created_at: id,
  version: 1,
});

const found = (each: ChannelMessage): FoundAnywhere => ({
  kind: 'messages',
  id: each.id,
  message: each,
});

/** A search whose pages are given, one after the other. */
function searchIn(pages: (readonly FoundAnywhere[])[]) {
  const listeners = new Set<readonly [Id | undefined, string, (event: never) => void]>();
  const on =
    (id?: Id): SearchedClient['on'] & ReturnType<SearchedClient['channel']>['on'] =>
    (name: string, listener: (event: never) => void) => {
      const each = [id, name, listener] as const;
      listeners.add(each);
      return () => listeners.delete(each);
    };
  const posts = {
    searchAll: () => Promise.resolve({ entries: pages.shift() ?? [], next: undefined }),
    countFound: () => Promise.reject(new Error('not here')),
  };
  const client: SearchedClient = { on: on(), channel: (id) => ({ on: on(id) }) };
  const search = new Search(clientSource(client, posts), manualClock(), EMPTY_FIELDS);
  const report = (channel: number | undefined, name: string, event: object) => {
    const place = channel === undefined ? undefined : idOf(String(channel));
    // Guarantee: the listeners of a name take its events.
    for (const [id, each, listener] of listeners)
      if (id === place && each === name) listener(event as never);
  };
  const followed = () => [...new Set([...listeners].flatMap(([id]) => id ?? []))].map(Number);
  return { search, report, followed, listeners };
}

test('[WC17] what was found is changed and deleted with the messages of its channels, the lobby, and posts', async () => {
  const lobby = { id: idOf('6'), author: 'ada', content: 'no. 6', created_at: 6 };
  const { search, report } = searchIn([
    [
      found(message(9, 2)),
      found(message(8, 3)),
      { kind: 'posts', id: idOf('7'), post: post(7) },
      { kind: 'messages', id: lobby.id, message: lobby },
      { kind: 'posts', id: idOf('5'), post: post(5) },
    ],
  ]);
  await search.choose({ text: 'no' });
  report(3, 'messageUpdate', message(8, 3, 'changed'));
  report(2, 'messageDelete', { id: idOf('9') });
  report(undefined, 'postUpdate', post(7, { title: 'changed', version: 2 }));
  report(undefined, 'messageUpdate', { ...lobby, content: 'changed' });
  report(undefined, 'postDelete', { id: idOf('5') });
  const texts = search.found.value.map((each) => {
    if (each.kind === 'messages') return each.message.content;
    return each.kind === 'posts' ? each.post.title : '';
  });
  expect(texts).toEqual(['changed', 'changed', 'changed']);
});

test('[WC17] an older version changes nothing', async () => {
  const { search, report } = searchIn([[found({ ...message(8, 3, 'new'), version: 3 })]]);
  await search.choose({ text: 'new' });
  report(3, 'messageUpdate', { ...message(8, 3, 'old'), version: 2 });
  expect(search.found.value).toEqual([found({ ...message(8, 3, 'new'), version: 3 })]);
});

test('[WC17] changes are listened to in the channels where something was found last, while the search is there', async () => {
  const many = Array.from({ length: 20 }, (_, at) => found(message(100 - at, 50 + at)));
  const first = [message(9, 2), message(8, 2), message(7, 3)].map(found);
  const { search, followed, listeners } = searchIn([first, many]);
  await search.choose({ text: 'no' });
  expect(followed()).toEqual([2, 3]);
  await search.search();
  expect(followed()).toEqual(Array.from({ length: 20 }, (_, at) => 50 + at));
  search[Symbol.dispose]();
  expect(listeners.size).toBe(0);
});
