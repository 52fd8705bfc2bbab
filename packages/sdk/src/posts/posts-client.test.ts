import { firstIdAt } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { idOf, ownCommunity } from '../../test/support/communities.ts';
import { POST, postOf, postsHost } from '../../test/support/posts.ts';
import { fakeHost, GARDEN_PLACES } from '../../test/support/fake-host.ts';
import { HearthError } from '../errors.ts';
import type { PostPlace } from './post-pages.ts';

const CHANNEL = idOf(110);
const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

function paged(next: string | undefined, ...ids: number[]): Response {
  const headers = next === undefined ? undefined : { Link: `<${next}>; rel="next"` };
  return Response.json(
    ids.map((id) => postOf({ id: idOf(id) })),
    headers === undefined ? {} : { headers },
  );
}

test('[SK40] a list is read page by page, whether it goes on with a cursor or before an id', async () => {
  const host = postsHost();
  host.answers.set('GET /channels/110/posts', () =>
    paged('/channels/110/posts?sort=hot&cursor=two', 9, 7),
  );
  host.answers.set('GET /channels/110/posts?sort=hot&cursor=two', () => paged(undefined, 8));
  host.answers.set('GET /channels/110/posts?sort=new', () =>
    paged('/channels/110/posts?sort=new&before=8', 9, 8),
  );
  host.answers.set('GET /channels/110/posts?sort=new&before=8', () => paged(undefined, 7));
  for (const [sort, order] of [
    ['hot', [9, 7, 8]],
    ['new', [9, 8, 7]],
  ] as const) {
    const seen: number[] = [];
    for await (const { id } of host.posts.all({ channel_id: CHANNEL }, { sort }))
      seen.push(Number(id));
    expect(seen).toEqual([...order]);
  }
});

test('[SK40] each place has its list', async () => {
  const host = postsHost();
  host.answers.set('GET ', () => []);
  const places: readonly PostPlace[] = [
    { channel_id: CHANNEL },
    { community_id: idOf(100) },
    { user_id: idOf(2) },
    'feed',
    'saved',
  ];
  for (const place of places) await host.posts.list(place, { limit: 5 });
  expect(host.asked).toEqual([
    'GET /channels/110/posts?limit=5',
    'GET /communities/100/posts?limit=5',
    'GET /users/2/posts?limit=5',
    'GET /feed?limit=5',
    'GET /users/me/saved?limit=5',
  ]);
});

test('[SK40] posts and comments are sent with a nonce', async () => {
  const host = postsHost();
  const bodies: unknown[] = [];
  const keep = (body: string) => {
    bodies.push(JSON.parse(body));
    return {};
  };
  host.answers.set('POST ', keep);
  await host.posts.create(CHANNEL, { title: 'Oaks' }).catch(() => undefined);
  await host.posts.comments.create(POST, 'Tall').catch(() => undefined);
  await host.posts.crosspost(POST, { channel_id: idOf(111) }).catch(() => undefined);
  expect(bodies).toEqual([
    { title: 'Oaks', nonce: expect.any(String) },
    { content: 'Tall', nonce: expect.any(String) },
    { channel_id: idOf(111), nonce: expect.any(String) },
  ]);
});

test('[SK41] posts of communities are reported, and make their channel unread', async () => {
  const host = postsHost();
  for (const [stream, place] of GARDEN_PLACES) host.places.set(stream, place);
  host.ready({ communities: [ownCommunity()] });
  const reported: unknown[] = [];
  for (const name of ['post', 'postUpdate', 'postDelete', 'readState'] as const) {
    host.on(name, (event) => void reported.push([name, event]));
  }
  const id = firstIdAt(1_900_000_000_000);
  const mentions = [{ id: idOf(1), username: 'ada' }];
  host.event('c:100', 'POST_CREATE', postOf({ id, mentions, nonce: 'n' }));
  host.event('c:100', 'POST_UPDATE', postOf({ id, version: 2 }));
  host.event('c:100', 'POST_DELETE', { channel_id: CHANNEL, id });
  const isPost = ([name]: unknown[]) => name !== 'readState';
  expect((reported as unknown[][]).filter(isPost) as unknown).toEqual([
    [
      'post',
      {
        community_id: idOf(100),
        post: postOf({ id, mentions, nonce: 'n' }),
        isMention: true,
        isOwn: false,
      },
    ],
    ['postUpdate', postOf({ id, version: 2 })],
    ['postDelete', { channel_id: CHANNEL, id }],
  ]);
  expect(reported).toContainEqual([
    'readState',
    { channel_id: CHANNEL, last_read_id: undefined, isUnread: true, mentions: 1 },
  ]);
  await host.clock.advance(1_000);
  await settled();
  expect(host.asked).toEqual([]);
});

test('[SK41] after a loss, lists have to be read again', () => {
  const host = postsHost();
  for (const [stream, place] of GARDEN_PLACES) host.places.set(stream, place);
  let times = 0;
  host.on('postsMissed', () => {
    times += 1;
  });
  host.ready({ communities: [ownCommunity()] });
  host.listener.left();
  host.resumed();
  expect(times).toBe(0);
  host.listener.left();
  host.resumed('c:100');
  expect(times).toBe(1);
  host.listener.left();
  host.ready({ communities: [ownCommunity()] });
  expect(times).toBe(2);
});

test('[SK44] a client has no posts until they are loaded, once', () => {
  const { part } = fakeHost();
  expect(() => part.posts).toThrow(HearthError);
  const { part: other, posts } = postsHost();
  expect(other.posts).toBe(posts);
  const again = other.addPosts(() => {
    throw new Error('they are there');
  });
  expect(again).toBe(posts);
});
