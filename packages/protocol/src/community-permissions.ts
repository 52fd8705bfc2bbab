import {
  hasPermission,
  PERMISSIONS,
  readPermissions,
  type Permission,
  type PermissionMask,
} from './permissions.ts';

type Mask = PermissionMask<Permission>;

/** What an owner may do: everything. */
export const EVERY_PERMISSION: Mask = readPermissions(PERMISSIONS, Object.keys(PERMISSIONS));

/** No permission. */
export const NO_PERMISSION: Mask = readPermissions(PERMISSIONS, []);

/** What the everyone role of a new community allows. */
export const NEW_EVERYONE_PERMISSIONS: Mask = readPermissions(PERMISSIONS, [
  'VIEW',
  'SEND_MESSAGES',
  'CREATE_POSTS',
  'COMMENT',
  'VOTE',
  'REACT',
  'ATTACH_FILES',
  'EMBED_LINKS',
  'CREATE_INVITES',
  'CHANGE_NICKNAME',
  'USE_COMMANDS',
]);

/** What overwrites may allow and deny: all but what decides who may set them. */
export const OVERWRITABLE_PERMISSIONS: Mask = without(
  EVERY_PERMISSION,
  readPermissions(PERMISSIONS, ['ADMINISTRATOR', 'MANAGE_ROLES', 'MANAGE_CHANNELS']),
);

const VIEW_ONLY: Mask = readPermissions(PERMISSIONS, ['VIEW']);
const VIEW_AND_DISCUSS: Mask = readPermissions(PERMISSIONS, ['VIEW', 'COMMENT', 'VOTE']);

/** What one role or one member is allowed and denied in a channel or category, whatever the roles say. */
export interface Overwrite {
  readonly id: string;
  readonly kind: 'role' | 'member';
  readonly allow: Mask;
  readonly deny: Mask;
}

/** The overwrites of a category and of the channel in it, in this order; or those of only one of them. */
export type OverwriteLevels = readonly (readonly Overwrite[])[];

/** The roles of a community, as far as permissions depend on them. */
export interface CommunityRoles {
  /** The id of the community and of its everyone role. */
  readonly id: string;
  readonly owner_id: string;
  /** The permissions of every role, including the everyone role, by its id. */
  readonly roles: ReadonlyMap<string, Mask>;
}

/** Somebody in front of a community. `account` is somebody with an account who is not a member. */
export type Viewer =
  | {
      readonly kind: 'member';
      readonly id: string;
      readonly role_ids: readonly string[];
      readonly is_timed_out?: boolean;
    }
  | { readonly kind: 'account'; readonly may_discuss: boolean }
  | { readonly kind: 'visitor' };

/**
 * What `viewer` may do in the community as a whole, or, with `levels`, in a channel of it. Whether a community may be seen
 * at all by those who are not its members is not decided here.
 */
export function permissionsOf(
  viewer: Viewer,
  community: CommunityRoles,
  levels: OverwriteLevels = [],
): Mask {
  const everyone = community.roles.get(community.id) ?? NO_PERMISSION;
  if (viewer.kind !== 'member') {
    const most = viewer.kind === 'account' && viewer.may_discuss ? VIEW_AND_DISCUSS : VIEW_ONLY;
    return seen(
      both(
        afterOverwrites(everyone, { everyoneId: community.id, id: undefined, roleIds: [] }, levels),
        most,
      ),
    );
  }
  if (viewer.id === community.owner_id) return EVERY_PERMISSION;
  const roleIds = viewer.role_ids.filter((id) => id !== community.id && community.roles.has(id));
  const base = roleIds.reduce(
    (mask, id) => joined(mask, community.roles.get(id) ?? NO_PERMISSION),
    everyone,
  );
  if (hasPermission(PERMISSIONS, base, 'ADMINISTRATOR')) return EVERY_PERMISSION;
  const mask = seen(
    afterOverwrites(base, { everyoneId: community.id, id: viewer.id, roleIds }, levels),
  );
  return viewer.is_timed_out === true ? both(mask, VIEW_ONLY) : mask;
}

/**
 * Whether not everybody who sees the community sees a channel: the everyone role lacks VIEW there, or an overwrite of the
 * channel or of its category denies it to a role or a member.
 */
export function isRestricted(community: CommunityRoles, levels: OverwriteLevels): boolean {
  const visitor = permissionsOf({ kind: 'visitor' }, community, levels);
  if (!hasPermission(PERMISSIONS, visitor, 'VIEW')) return true;
  return levels
    .flat()
    .some(({ id, deny }) => id !== community.id && hasPermission(PERMISSIONS, deny, 'VIEW'));
}

interface Subject {
  readonly everyoneId: string;
  readonly id: string | undefined;
  /** Without the everyone role. */
  readonly roleIds: readonly string[];
}

function afterOverwrites(
  base: Mask,
  { everyoneId, id: memberId, roleIds }: Subject,
  levels: OverwriteLevels,
): Mask {
  let mask = base;
  for (const level of levels) {
    if (level.length === 0) continue;
    const ofEveryone = level.filter(({ kind, id }) => kind === 'role' && id === everyoneId);
    const ofRoles = level.filter(({ kind, id }) => kind === 'role' && roleIds.includes(id));
    const ofMember = level.filter(({ kind, id }) => kind === 'member' && id === memberId);
    for (const overwrites of [ofEveryone, ofRoles, ofMember]) {
      mask = without(mask, overwritable(overwrites.map(({ deny }) => deny)));
      mask = joined(mask, overwritable(overwrites.map(({ allow }) => allow)));
    }
  }
  return mask;
}

function overwritable(masks: readonly Mask[]): Mask {
  return both(masks.reduce(joined, NO_PERMISSION), OVERWRITABLE_PERMISSIONS);
}

function seen(mask: Mask): Mask {
  return hasPermission(PERMISSIONS, mask, 'VIEW') ? mask : NO_PERMISSION;
}

/** What either has. */
export function joined(one: Mask, other: Mask): Mask {
  return maskOf(one | other);
}

/** What both have. */
export function both(one: Mask, other: Mask): Mask {
  return maskOf(one & other);
}

/** What `one` has and `other` does not. */
export function without(one: Mask, other: Mask): Mask {
  return maskOf(one & ~other);
}

// Guarantee: made of masks of the same table.
function maskOf(bits: number): Mask {
  return bits as Mask;
}
