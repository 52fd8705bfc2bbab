import type { Id, Overwrite } from '@hearth/protocol';
import type { Database } from '../../../ports/database/database.ts';
import type { StoredMember } from '../structure/structure.ts';
import { selectAudiences, type StoredAudiences } from './store.ts';
import { restrictedOf, type AudienceCommunity } from './streams-of.ts';

/** Communities and who is a member, all as it was at one moment. */
export interface Audiences {
  readonly communities: ReadonlyMap<Id, AudienceCommunity>;
  /** The memberships of each user in these communities. */
  readonly members: ReadonlyMap<Id, readonly StoredMember[]>;
}

type Ctx = { readonly database: Pick<Database, 'reader'> };

/** All communities of the users, and their memberships. One query. */
export async function findAudiencesOfUsers(
  { database }: Ctx,
  users: readonly Id[],
): Promise<Audiences> {
  return audiencesOf(await selectAudiences(database.reader, { users }));
}

/** These communities, and the memberships of the users in them. One query. */
export async function findAudiences(
  { database }: Ctx,
  asked: { readonly communities: readonly Id[]; readonly users: readonly Id[] },
): Promise<Audiences> {
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
