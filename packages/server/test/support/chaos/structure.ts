import type {
  Channel,
  ChannelStub,
  Community,
  Id,
  Member,
  Membership,
  Role,
} from '@hearth/protocol';
import {
  channelListSchema,
  communitySchema,
  memberListSchema,
  ownCommunitySchema,
  roleListSchema,
} from '@hearth/protocol/schemas';
import type { Person } from './person.ts';

/** A channel, and its version if it is known. */
export type PlacedChannel = ChannelStub & { readonly version?: number };

/** A community as a client shows it, without its messages. */
export interface Structure {
  readonly community: Community;
  readonly roles: ReadonlyMap<string, Role>;
  readonly channels: ReadonlyMap<string, PlacedChannel>;
  /** Absent for those who are not members. */
  readonly membership: Membership | undefined;
}

/** Reads what somebody sees and follows of a community, as a member, or else as anyone may; undefined if they see nothing. */
export async function readStructure(person: Person, id: Id): Promise<Structure | undefined> {
  const own = await person.ask('GET', `/users/me/communities/${id}`);
  if (own.status === 200) {
    const {
      membership,
      roles,
      channels,
      permissions: _,
      ...community
    } = ownCommunitySchema.parse(own.body);
    return { community, roles: byId(roles), channels: byId(channels), membership };
  }
  const path = `/communities/${id}`;
  const community = await person.ask('GET', path);
  const roles = await person.ask('GET', `${path}/roles`);
  const channels = await person.ask('GET', `${path}/channels`);
  if ([community, roles, channels].some(({ status }) => status !== 200)) return undefined;
  const seen: readonly Channel[] = channelListSchema.parse(channels.body);
  // Visitors follow no streams of channels, even if all but some see them.
  const followed = seen.filter(({ restricted }) => restricted !== true);
  return {
    community: communitySchema.parse(community.body),
    roles: byId(roleListSchema.parse(roles.body)),
    channels: byId(followed),
    membership: undefined,
  };
}

/** The members of a community; undefined if they are hidden. */
export async function readMembers(
  person: Person,
  id: Id,
): Promise<ReadonlyMap<string, Member> | undefined> {
  const { status, body } = await person.ask('GET', `/communities/${id}/members?limit=100`);
  if (status !== 200) return undefined;
  return new Map(memberListSchema.parse(body).map((member) => [member.user.id, member]));
}

/** Returns what is shown of a community, as text by which views are compared. */
export function structureText({ community, roles, channels, membership }: Structure) {
  const { name, description = '-', visibility, join, owner_id: owner, version } = community;
  return {
    community: [name, description, visibility, join, owner, version].join(' '),
    roles: Array.from(roles.values(), (role) =>
      [role.id, role.name, role.position, role.version, ...role.permissions.toSorted()].join(' '),
    ).toSorted(),
    channels: Array.from(channels.values(), (channel) => {
      const { id, kind, name: called, category_id = '-', position, restricted = false } = channel;
      return [id, kind, called, category_id, position, restricted].join(' ');
    }).toSorted(),
    membership: membership === undefined ? 'none' : membershipText(membership),
  };
}

/** Members as text, without the one who shows them, whose own membership is compared apart. */
export function membersText(members: ReadonlyMap<string, Member>, but: Id): readonly string[] {
  return [...members.values()]
    .filter(({ user }) => user.id !== but)
    .map((member) => [member.user.username, membershipText(member)].join(' '))
    .toSorted();
}

function membershipText({ nickname = '-', role_ids, timed_out_until = 0, version }: Membership) {
  return [nickname, ...role_ids.toSorted(), timed_out_until, version].join(' ');
}

function byId<Value extends { readonly id: string }>(values: readonly Value[]) {
  return new Map(values.map((value) => [value.id, value]));
}
