import {
  parseId,
  type Channel,
  type ChannelMessage,
  type Community,
  type Id,
  type Member,
  type OwnChannel,
  type OwnCommunity,
  type Role,
} from '@hearth/protocol';

/** The identifier with this number. */
export function idOf(number: number): Id {
  const id = parseId(String(number));
  if (id === undefined) throw new Error('an identifier');
  return id;
}

/** The person who is signed in, in tests. */
export const ME = { id: idOf(1), username: 'ada' };

/** A community of ada's. Its id is 100, its everyone role has the same, and it has one channel, 110. */
export function ownCommunity(changed: Partial<OwnCommunity> = {}): OwnCommunity {
  const id = changed.id ?? idOf(100);
  return {
    ...plainCommunity({ id }),
    membership: { role_ids: [], joined_at: 1_700_000_000_000, version: 1 },
    permissions: ['VIEW', 'SEND_MESSAGES'],
    roles: [roleOf({ id, community_id: id, name: 'everyone', position: 0 })],
    channels: [stubOf()],
    ...changed,
  };
}

/** Returns such a community as everyone sees it. */
export function plainCommunity(changed: Partial<Community> = {}): Community {
  return {
    id: idOf(100),
    slug: 'garden',
    name: 'Garden',
    kind: 'both',
    visibility: 'private',
    join: 'invite',
    owner_id: idOf(2),
    member_count: 2,
    created_at: 1_700_000_000_000,
    version: 1,
    ...changed,
  };
}

export function stubOf(changed: Partial<OwnChannel> = {}): OwnChannel {
  return { id: idOf(110), kind: 'messages', name: 'general', position: 0, ...changed };
}

export function channelOf(changed: Partial<Channel> = {}): Channel {
  const { permissions: _none, ...stub } = stubOf();
  return { ...stub, community_id: idOf(100), version: 2, ...changed };
}

export function roleOf(changed: Partial<Role> = {}): Role {
  return {
    id: idOf(120),
    community_id: idOf(100),
    name: 'gardener',
    position: 1,
    permissions: ['VIEW'],
    version: 1,
    ...changed,
  };
}

export function memberOf(changed: Partial<Member> = {}): Member {
  return {
    user: ME,
    community_id: idOf(100),
    role_ids: [],
    joined_at: 1_700_000_000_000,
    version: 2,
    ...changed,
  };
}

export function messageOf(changed: Partial<ChannelMessage> & { readonly id: Id }): ChannelMessage {
  return {
    channel_id: idOf(110),
    author: 'brendan',
    content: `no. ${changed.id}`,
    user: { id: idOf(2), username: 'brendan' },
    created_at: 1_700_000_000_000,
    version: 1,
    ...changed,
  };
}
