import {
  both,
  ForbiddenError,
  isEmptyMask,
  joined,
  NO_PERMISSION,
  permissionNames,
  PERMISSIONS,
  permissionsOf,
  without,
  type Overwrite,
  type OverwriteLevels,
  type Permission,
  type PermissionMask,
  type Viewer,
} from '@hearth/protocol';
import type { Access, KnownChannel, KnownCommunity, StoredRole } from '../structure/structure.ts';

type Mask = PermissionMask<Permission>;

/** Permissions that an act gives to somebody or takes from them. */
export interface Grant {
  readonly permissions: Mask;
  /** The overwrites of the channel or category where it does so; none for the community as a whole. */
  readonly levels?: OverwriteLevels;
}

/**
 * Throws ForbiddenError, which names the first permission that the caller would give or take without having it there. Every act
 * that hands out permissions asks this: by role, overwrite, category, invite or self-assignment.
 */
export function requireGrants(
  caller: Pick<Access, 'viewer' | 'community'>,
  grants: readonly Grant[],
): void {
  const permission = lackingFor(caller, grants);
  if (permission !== undefined)
    throw new ForbiddenError({ code: 'permission_missing', permission });
}

/** The first permission that somebody would give or take without having it there; undefined if there is none. */
export function lackingFor(
  { viewer, community }: Pick<Access, 'viewer' | 'community'>,
  grants: readonly Grant[],
): Permission | undefined {
  for (const { permissions, levels = [] } of grants) {
    if (isEmptyMask(permissions)) continue;
    const lacking = without(permissions, permissionsOf(viewer, community, levels));
    const [permission] = permissionNames(PERMISSIONS, lacking);
    if (permission !== undefined) return permission;
  }
  return undefined;
}

/** All that a role allows those who have it: in the community as a whole, and where an overwrite allows it something. */
export function allowedBy(community: KnownCommunity, role: StoredRole): readonly Grant[] {
  return [{ permissions: role.permissions }, ...inOverwrites(community, role, 'allow')];
}

/** All that a role denies those who have it. */
export function deniedBy(community: KnownCommunity, role: StoredRole): readonly Grant[] {
  return inOverwrites(community, role, 'deny');
}

/** A change of the permissions of a role, which gives only, unless everyone has the role: others are below the caller. */
export function changeOfRole(before: StoredRole, after: Mask): Grant {
  const isEveryone = before.id === before.community_id;
  const given = without(after, before.permissions);
  const taken = isEveryone ? without(before.permissions, after) : NO_PERMISSION;
  return { permissions: joined(given, taken) };
}

/** All that changes if the overwrites of a channel or category are replaced by others: there, and in the channels of the category. */
export function changesOfOverwrites(
  community: KnownCommunity,
  place: KnownChannel,
  after: readonly Overwrite[],
): readonly Grant[] {
  const { overwrites: before, levels } = place;
  // Overwrites that stay are the same objects.
  const subjects = [...new Set([...before, ...after])];
  const inside = channelsIn(community, place).map((channel) => {
    const differences = subjects.map((subject) => {
      const [was, is] = [before, after].map((overwrites) =>
        permissionsOf(holderOf(subject), community, [overwrites, channel.overwrites]),
      );
      return difference(was, is);
    });
    return { permissions: differences.reduce(joined, NO_PERMISSION), levels: channel.levels };
  });
  return [changeOfOverwrites(levels, before, after), ...inside];
}

/** All that changes in one place if overwrites are replaced by others. */
export function changeOfOverwrites(
  levels: OverwriteLevels,
  before: readonly Overwrite[],
  after: readonly Overwrite[],
): Grant {
  const differences = [...before, ...after].map(({ kind, id }) => {
    const [was, is] = [before, after].map((overwrites) =>
      overwrites.find((each) => each.kind === kind && each.id === id),
    );
    return joined(difference(was?.allow, is?.allow), difference(was?.deny, is?.deny));
  });
  return { permissions: differences.reduce(joined, NO_PERMISSION), levels };
}

function inOverwrites(
  community: KnownCommunity,
  { id }: Pick<StoredRole, 'id'>,
  what: 'allow' | 'deny',
): readonly Grant[] {
  return [...community.channelById.values()].flatMap((place) =>
    place.overwrites
      .filter((overwrite) => overwrite.kind === 'role' && overwrite.id === id)
      .flatMap((overwrite) => [
        { permissions: overwrite[what], levels: place.levels },
        ...channelsIn(community, place).map(({ levels }) => ({
          permissions: both(overwrite[what], madeBy(community, overwrite, levels)),
          levels,
        })),
      ]),
  );
}

/** The permissions somewhere that an overwrite gives to those whom it names, or takes from them. */
function madeBy(community: KnownCommunity, overwrite: Overwrite, levels: OverwriteLevels): Mask {
  const holder = holderOf(overwrite);
  const others = levels.map((level) => level.filter((each) => each !== overwrite));
  return difference(
    permissionsOf(holder, community, levels),
    permissionsOf(holder, community, others),
  );
}

/** The channels that get the overwrites of a category. */
function channelsIn(
  { channelById }: Pick<KnownCommunity, 'channelById'>,
  { id }: Pick<KnownChannel, 'id'>,
): readonly KnownChannel[] {
  return [...channelById.values()].filter(({ categoryId }) => categoryId === id);
}

/** Somebody whom an overwrite names, and who has no other role than that. */
function holderOf({ kind, id }: Pick<Overwrite, 'kind' | 'id'>): Viewer {
  return kind === 'role'
    ? { kind: 'member', id: '', role_ids: [id] }
    : { kind: 'member', id, role_ids: [] };
}

/** The permissions that only one of the two has. */
function difference(one: Mask = NO_PERMISSION, other: Mask = NO_PERMISSION): Mask {
  return joined(without(one, other), without(other, one));
}
