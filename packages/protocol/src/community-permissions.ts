import {
  both,
  changed,
  hasPermission,
  joined,
  PERMISSIONS,
  readPermissions,
  without,
  type Permission,
  type PermissionMask,
} from './permissions.ts';

type Mask = PermissionMask<Permission>;

/** The permissions of an owner: all of them. */
export const EVERY_PERMISSION: Mask = readPermissions(PERMISSIONS, Object.keys(PERMISSIONS));

/** No permission. */
export const NO_PERMISSION: Mask = readPermissions(PERMISSIONS, []);

/** The permissions that the everyone role of a new community allows. */
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

/** Permissions that overwrites may allow and deny: all but those that decide who may set them. */
export const OVERWRITABLE_PERMISSIONS: Mask = without(
  EVERY_PERMISSION,
  readPermissions(PERMISSIONS, ['ADMINISTRATOR', 'MANAGE_ROLES', 'MANAGE_CHANNELS']),
);

const VIEW_ONLY: Mask = readPermissions(PERMISSIONS, ['VIEW']);
const VIEW_AND_DISCUSS: Mask = readPermissions(PERMISSIONS, ['VIEW', 'COMMENT', 'VOTE']);

/** Permissions that one role or one member is allowed and denied in a channel or category, whatever the roles say. */
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
 * Returns what `viewer` may do in the community as a whole, or, with `levels`, in a channel of it. Whether a community
 * may be seen at all by those who are not its members is not decided here.
 */
export function permissionsOf(
  viewer: Viewer,
  community: CommunityRoles,
  levels: OverwriteLevels = [],
): Mask {
  const everyone = community.roles.get(community.id) ?? NO_PERMISSION;
  if (viewer.kind !== 'member') {
    const most = viewer.kind === 'account' && viewer.may_discuss ? VIEW_AND_DISCUSS : VIEW_ONLY;
    return seen(both(afterOverwrites(everyone, community, { levels, subject: NOBODY }), most));
  }
  if (viewer.id === community.owner_id) return EVERY_PERMISSION;
  let base = everyone;
  for (const id of viewer.role_ids) {
    const mask = community.roles.get(id);
    if (mask !== undefined) base = joined(base, mask);
  }
  if (hasPermission(PERMISSIONS, base, 'ADMINISTRATOR')) return EVERY_PERMISSION;
  const mask = seen(afterOverwrites(base, community, { levels, subject: viewer }));
  return viewer.is_timed_out === true ? both(mask, VIEW_ONLY) : mask;
}

/**
 * Returns whether not everybody who sees the community sees a channel: the everyone role lacks VIEW there, or an
 * overwrite of the channel or of its category denies it to a role or a member.
 */
export function isRestricted(community: CommunityRoles, levels: OverwriteLevels): boolean {
  const visitor = permissionsOf({ kind: 'visitor' }, community, levels);
  if (!hasPermission(PERMISSIONS, visitor, 'VIEW')) return true;
  return levels
    .flat()
    .some(({ id, deny }) => id !== community.id && hasPermission(PERMISSIONS, deny, 'VIEW'));
}

interface Subject {
  readonly id: string;
  readonly role_ids: readonly string[];
}

/** Somebody whom no overwrite names. */
const NOBODY: Subject = { id: '', role_ids: [] };

function afterOverwrites(
  base: Mask,
  { id: everyoneId, roles }: CommunityRoles,
  { levels, subject }: { readonly levels: OverwriteLevels; readonly subject: Subject },
): Mask {
  let mask = base;
  for (const level of levels) {
    if (level.length === 0) continue;
    let [ofEveryone, ofRoles, ofMember] = [NO_CHANGE, NO_CHANGE, NO_CHANGE];
    for (const overwrite of level) {
      const { kind, id } = overwrite;
      if (kind === 'role' && id === everyoneId) ofEveryone = together(ofEveryone, overwrite);
      else if (kind === 'member' && id === subject.id) ofMember = together(ofMember, overwrite);
      else if (kind === 'role' && subject.role_ids.includes(id) && roles.has(id))
        ofRoles = together(ofRoles, overwrite);
    }
    for (const change of [ofEveryone, ofRoles, ofMember]) {
      if (change !== NO_CHANGE) mask = changed(mask, change, OVERWRITABLE_PERMISSIONS);
    }
  }
  return mask;
}

/** Overwrites of one level, together. */
type Change = Pick<Overwrite, 'allow' | 'deny'>;

const NO_CHANGE: Change = { allow: NO_PERMISSION, deny: NO_PERMISSION };

function together(one: Change, other: Change): Change {
  if (one === NO_CHANGE) return other;
  return { allow: joined(one.allow, other.allow), deny: joined(one.deny, other.deny) };
}

function seen(mask: Mask): Mask {
  return hasPermission(PERMISSIONS, mask, 'VIEW') ? mask : NO_PERMISSION;
}
