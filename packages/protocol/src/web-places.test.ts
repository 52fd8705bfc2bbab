import { expect, test } from 'bun:test';
import { findWebPlace, titleSegment, WEB_PLACES, webPath } from './web-places.ts';

test.each([
  ['/', 'home', {}],
  ['//', 'home', {}],
  ['/lobby', 'lobby', {}],
  ['//lobby/', 'lobby', {}],
  ['/lobby/123', 'lobbyMessage', { message_id: '123' }],
  ['/settings/notifications', 'settingsPage', { page: 'notifications' }],
  ['/about', 'about', {}],
  ['/sign-in', 'signIn', {}],
  ['/reset-password', 'resetPassword', {}],
  ['/c/gardens', 'community', { slug: 'gardens' }],
  ['/communities', 'communities', {}],
  ['/communities/new', 'newCommunity', {}],
  ['/c/gardens/settings', 'communitySettings', { slug: 'gardens' }],
  ['/c/gardens/settings/roles', 'communitySettingsPage', { slug: 'gardens', page: 'roles' }],
  ['/c/gardens/7', 'channel', { slug: 'gardens', channel_id: '7' }],
  ['/c/gardens/p/8/a-title', 'post', { slug: 'gardens', post_id: '8', title: 'a-title' }],
  ['/c/gardens/p/8', 'untitledPost', { slug: 'gardens', post_id: '8' }],
  [
    '/c/gardens/p/8/a-title/9',
    'postComment',
    { slug: 'gardens', post_id: '8', title: 'a-title', comment_id: '9' },
  ],
  ['/c/gardens/posts', 'communityPosts', { slug: 'gardens' }],
  ['/feed', 'feed', {}],
  ['/u/ada%20b', 'user', { username: 'ada b' }],
  ['/invite/a%2Fb', 'invite', { code: 'a/b' }],
])('%s is the place %s', (path, name, params) => {
  expect<unknown>(findWebPlace(path)).toEqual({ name, params });
});

test.each(['', 'lobby', '/lobby/1/2', '/c', '/m/', '/nothing', '/u/%zz'])(
  '%j is no place',
  (path) => {
    expect(findWebPlace(path)).toBeUndefined();
  },
);

test('the path of a place leads to it, whatever its parameters contain', () => {
  const params = { slug: 'a b', post_id: '1', title: 'one/two?#%' };
  expect(findWebPlace(webPath('post', params))).toEqual({ name: 'post', params });
  expect(webPath('lobbyMessage', { message_id: '12' })).toBe('/lobby/12');
});

test('no two places have the same address', () => {
  const shapes = Object.values(WEB_PLACES).map((path) => path.replaceAll(/:\w+/g, ':'));
  expect(new Set(shapes).size).toBe(shapes.length);
});

test('a title is a part of an address', () => {
  expect(titleSegment('Tulips: when do they bloom?')).toBe('tulips-when-do-they-bloom');
  expect(titleSegment('Äpfel & Birnen')).toBe('äpfel-birnen');
  expect(titleSegment('?!')).toBe('-');
  expect(titleSegment('a'.repeat(300))).toBe('-');
  expect(titleSegment('word '.repeat(60))).toHaveLength(59);
});
