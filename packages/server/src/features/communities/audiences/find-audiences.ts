import {
  channelStream,
  communityStream,
  moderatorStream,
  sightOf,
  type Id,
  type Overwrite,
} from '@hearth/protocol';
import type { Database } from '../../../ports/database/database.ts';
import type { StoredMember } from '../structure/structure.ts';
import { selectAudiences, type StoredAudiences } from './store.ts';
import type { Followed, FollowedKind } from './followed.ts';
import { restrictedOf, streamsOf, type AudienceCommunity } from './streams-of.ts';

/** Communities and who is a member, all as it was at one moment. */
export interface Audiences {
  readonly communities: ReadonlyMap<Id, AudienceCommunity>;
  /** The memberships of each user in these communities. */
  readonly members: ReadonlyMap<Id, readonly StoredMember[]>;
}

/** Communities, whose members follow them. */
export const COMMUNITIES: FollowedKind = {
  prefix: 'c:',
  changes: { whole: 'communities', part: 'members' },
  read: async (ctx, { users, ids }) => followedIn(await findAudiences(ctx, users, ids)),
};

/** All communities of the users, or these if any are given, and the memberships of the users in them. One query. */
export async function findAudiences(
  { database }: { readonly database: Pick<Database, 'reader'> },
  users: readonly Id[],
  communities?: readonly Id[],
): Promise<Audiences> {
  const asked = { users, ...(communities && { communities }) };
  return audiencesOf(await selectAudiences(database.reader, asked));
}

function audiencesOf({ communities, members, ...structure }: StoredAudiences): Audiences {
  const roles = Map.groupBy(structure.roles, ({ communityId }) => communityId);
  const places = Map.groupBy(structure.places, ({ communityId }) => communityId);
  const overwrites = Map.groupBy(structure.overwrites, ({ channelId }) => channelId);
  const overwritesOf = (id: string): readonly Overwrite[] => overwrites.get(id) ?? [];
  const known = communities.map(({ id, ...sighted }): AudienceCommunity => {
    const own: Omit<AudienceCommunity, 'restricted'> = {
      id,
      ...sighted,
      roles: new Map((roles.get(id) ?? []).map((role) => [role.id, role.permissions])),
    };
    const restricted = restrictedOf(
      own,
      (places.get(id) ?? []).map((place) => ({
        id: place.id,
        levels: [
          place.categoryId === '' ? [] : overwritesOf(place.categoryId),
          overwritesOf(place.id),
        ],
      })),
    );
    return { ...own, restricted };
  });
  return {
    communities: new Map(known.map((community) => [community.id, community])),
    members: Map.groupBy(members, ({ userId }) => userId),
  };
}

/** Returns what members, and others, are to follow of communities. */
export function followedIn({ communities, members }: Audiences): Followed {
  const seatsOf = (own: readonly StoredMember[]) =>
    own.flatMap((member) => {
      const community = communities.get(member.communityId);
      const streams = community === undefined ? [] : streamsOf(community, member);
      const home = communityStream(member.communityId);
      return streams.length === 0 ? [] : [{ home, roles: member.roleIds, streams }];
    });
  const all = [...communities.values()];
  return {
    seats: new Map(Array.from(members, ([user, own]) => [user, seatsOf(own)])),
    streams: new Map(
      all.map(({ id, restricted }) => [
        communityStream(id),
        [moderatorStream(id), ...restricted.map((channel) => channelStream(channel.id))],
      ]),
    ),
    open: new Set(
      all.flatMap((each) => (sightOf(each, undefined).follows ? communityStream(each.id) : [])),
    ),
    members,
  };
}
