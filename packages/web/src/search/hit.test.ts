import type { FoundAnywhere } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { idOf } from '../../test/support/fake-communities.ts';
import { comment, post } from '../../test/support/fake-posts.ts';
import { hitOf, type KnownChannel } from './hit.ts';

const HARVEST: KnownChannel = {
  name: 'harvest',
  kind: 'posts',
  community: { id: idOf('1'), slug: 'garden', name: 'Garden' },
};

const show = (found: FoundAnywhere, query = 'tea') =>
  hitOf(found, {
    query,
    channelAt: (id) => (id === idOf('2') ? HARVEST : undefined),
    withoutFiles: (content) => content.replace('\nhttps://files.example/9', ''),
  });

const foundPost = (parts: Parameters<typeof post>[1]): FoundAnywhere => ({
  kind: 'posts',
  id: idOf('9'),
  post: post(9, { title: 'Green tea', ...parts }),
});

test('[WC48] a message leads to its place in its channel or in the lobby', () => {
  const id = idOf('9');
  const message = { id, author: 'ada', content: 'tea', created_at: 5 };
  const inChannel = { ...message, channel_id: idOf('2'), version: 1 };
  expect(show({ kind: 'messages', id, message: inChannel })).toMatchObject({
    path: '/c/garden/2/9',
    channel: HARVEST,
    isInLobby: false,
    content: 'tea',
    createdAtMs: 5,
  });
  const content = '> [Ada](https://a.example): tea?\n\nno\nhttps://files.example/9';
  const inLobby: FoundAnywhere = { kind: 'messages', id, message: { ...message, content } };
  expect(show(inLobby, 'no')).toMatchObject({ path: '/lobby/9', isInLobby: true, content: 'no' });
});

test('[WC48c] nothing leads to a channel that is not known', () => {
  expect(show(foundPost({ channel_id: idOf('3') }))).toBeUndefined();
});

test('[WC48] a post leads to its page, with the text or the address where the words are', () => {
  const url = 'https://example.org/tea';
  const hit = show(foundPost({ content: 'leaves', url }));
  expect(hit).toMatchObject({ path: '/c/garden/p/9/green-tea', title: 'Green tea', content: url });
  expect(show(foundPost({ content: 'leaves', url }), 'leaf')?.content).toBe('leaves');
});

test('[WC48a] a covered post shows its title only', () => {
  expect(show(foundPost({ content: 'tea', spoiler: true }))?.content).toBe('');
  expect(show(foundPost({ content: 'tea', sensitive: true }))?.content).toBe('');
});

test('[WC48] a comment leads to its place below its post, and names it', () => {
  const of = { id: idOf('9'), title: 'Green tea', channel_id: idOf('2'), community_id: idOf('1') };
  const found: FoundAnywhere = {
    kind: 'comments',
    id: idOf('12'),
    comment: comment(12, { post: of, content: 'tea' }),
  };
  expect(show(found)).toMatchObject({
    path: '/c/garden/p/9/green-tea/12',
    title: 'Green tea',
    author: 'ada',
    content: 'tea',
  });
});
