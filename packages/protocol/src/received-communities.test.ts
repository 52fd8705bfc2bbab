import { expect, test } from 'bun:test';
import {
  receivedChannelMessage,
  receivedCommunityEvent,
  receivedCommunityState,
} from './received-communities.ts';

const community = {
  id: '100',
  slug: 'garden',
  name: 'Garden',
  kind: 'both',
  visibility: 'private',
  join: 'invite',
  owner_id: '1',
  member_count: 1,
  created_at: 1,
  version: 1,
  membership: { role_ids: [], joined_at: 1, version: 1 },
  permissions: ['VIEW'],
  roles: [],
  channels: [],
};

test('permissions and kinds of later versions are ignored, and so is what cannot be understood in a list', () => {
  const channel = { id: '110', kind: 'messages', name: 'trees', position: 0 };
  const later = {
    ...community,
    permissions: ['VIEW', 'FLY'],
    channels: [channel, { ...channel, id: '111', kind: 'dreams' }, 7],
    theme: 'dark',
  };
  const { communities } = receivedCommunityState.parse({ communities: [later, { id: '101' }] });
  expect(communities).toMatchObject([{ permissions: ['VIEW'], channels: [channel] }]);
  expect(communities[0]).not.toHaveProperty('theme');
  const nothing = { communities: [], read_states: [], notification_settings: [] };
  expect(receivedCommunityState.parse({ communities: 'x', read_states: 7 })).toEqual(nothing);
});

test('an event has the shape of its kind, or is not understood', () => {
  const event = {
    op: 'COMMUNITY_CREATE',
    t: 'u:1',
    s: 1,
    d: { ...community, permissions: ['FLY'] },
  };
  expect(receivedCommunityEvent.parse(event)).toMatchObject({ d: { permissions: [] } });
  for (const broken of [
    { ...event, d: {} },
    { ...event, s: -1 },
    { ...event, op: 'DREAM' },
  ]) {
    expect(receivedCommunityEvent.safeParse(broken).success).toBe(false);
  }
});

test('a file that a message names is left out if it cannot be understood', () => {
  const message = {
    id: '5',
    channel_id: '110',
    author: 'ada',
    content: '',
    created_at: 1,
    version: 1,
  };
  const file = {
    id: '9',
    name: 'a',
    bucket: 'attachments',
    metadata: { type: 'song' },
    alt: 'A song',
  };
  const read = receivedChannelMessage.parse({ ...message, attachments: [file, { id: '10' }] });
  expect(read.attachments).toEqual([{ ...file, metadata: { type: 'other' } }]);
});
