import { expect, test } from 'bun:test';
import type { ChannelMessage, Id } from '@hearth/protocol';
import type { ChannelClient } from '@hearth/sdk';
import { idOf } from '../../../test/support/fake-communities.ts';
import { FakePosts } from '../../../test/support/fake-posts.ts';
import { EMPTY_FIELDS } from '../../search/search-fields.ts';
import { communityMessages, type MessagesClient } from './community-messages.ts';

/** The message of that number in a channel. */
const message = (id: number, channel: number): ChannelMessage => ({
  id: idOf(String(id)),
  channel_id: idOf(String(channel)),
  author: 'ada',
  content: `no. ${id}`,
  created_at: id,
  version: 1,
});

/** A client whose searches find these messages, one page after the other. */
function fakeClient(pages: (readonly ChannelMessage[])[]) {
  const listeners = new Set<readonly [Id, string, (event: never) => void]>();
  const on =
    (id: Id): ChannelClient['on'] =>
    (name, listener) => {
      const each = [id, name, listener] as const;
      listeners.add(each);
      return () => listeners.delete(each);
    };
  const client: MessagesClient = {
    communities: {
      searchMessages: () => Promise.resolve({ messages: pages.shift() ?? [], next: undefined }),
    },
    channel: (id) => ({ on: on(id) }),
  };
  const report = (channel: number, name: string, event: object) => {
    // Guarantee: the listeners of a name take its events.
    for (const [id, each, listener] of listeners)
      if (Number(id) === channel && each === name) listener(event as never);
  };
  const followed = () => [...new Set([...listeners].map(([id]) => Number(id)))];
  return { client, report, followed };
}

test('[WC213][WC213a] messages that were found beside posts are changed and deleted with those of their channels', async () => {
  const { client, report } = fakeClient([[message(9, 2), message(8, 3)]]);
  const { posts } = new FakePosts({}, (community) => communityMessages(client, community));
  const search = posts.messagesOf(idOf('1'));
  search.change({ ...EMPTY_FIELDS, text: 'no' });
  await search.search();
  report(3, 'messageUpdate', { ...message(8, 3), content: 'changed', version: 2 });
  report(2, 'messageDelete', { id: idOf('9') });
  expect(posts.messagesOf(idOf('1'))).toBe(search);
  expect(search.found.value.map(({ content }) => content)).toEqual(['changed']);
});

test('[WC213] changes are listened to in the channels where something was found last', async () => {
  const many = Array.from({ length: 20 }, (_, index) => message(100 - index, 50 + index));
  const { client, followed } = fakeClient([[message(9, 2), message(8, 2), message(7, 3)], many]);
  const source = communityMessages(client, idOf('1'));
  await source.search({ text: 'no' });
  expect(followed()).toEqual([2, 3]);
  await source.search({ text: 'no' });
  expect(followed()).toEqual(many.map(({ channel_id: id }) => Number(id)));
});
