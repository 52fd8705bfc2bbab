/** A set of permissions: one bit for each name of its table. It is stored and compared, but never sent. */
export type PermissionMask<Name extends string> = number & { readonly ofNames: readonly Name[] };

/** The bit of each permission. Bits are stored, so a bit never changes its name and a new name takes the next bit. */
export type PermissionTable<Name extends string> = Readonly<Record<Name, number>>;

/** What members may do in a community or in one of its channels. */
export const PERMISSIONS = {
  ADMINISTRATOR: 1 << 0,
  MANAGE_COMMUNITY: 1 << 1,
  MANAGE_ROLES: 1 << 2,
  MANAGE_CHANNELS: 1 << 3,
  MANAGE_INVITES: 1 << 4,
  MANAGE_EMOJI: 1 << 5,
  MANAGE_WEBHOOKS: 1 << 6,
  MANAGE_RULES: 1 << 7,
  VIEW_AUDIT_LOG: 1 << 8,
  VIEW_VOTES: 1 << 9,
  HANDLE_REPORTS: 1 << 10,
  KICK: 1 << 11,
  BAN: 1 << 12,
  TIMEOUT: 1 << 13,
  MANAGE_NICKNAMES: 1 << 14,
  MANAGE_CONTENT: 1 << 15,
  PIN: 1 << 16,
  AWARD_POINTS: 1 << 17,
  VIEW: 1 << 18,
  SEND_MESSAGES: 1 << 19,
  CREATE_POSTS: 1 << 20,
  COMMENT: 1 << 21,
  VOTE: 1 << 22,
  REACT: 1 << 23,
  ATTACH_FILES: 1 << 24,
  EMBED_LINKS: 1 << 25,
  MENTION_ALL: 1 << 26,
  CREATE_INVITES: 1 << 27,
  CHANGE_NICKNAME: 1 << 28,
  USE_COMMANDS: 1 << 29,
  BYPASS_SLOW_MODE: 1 << 30,
} as const;

/** What a member may do, by its name on the wire. */
export type Permission = keyof typeof PERMISSIONS;

/** What staff may do on the whole instance. Names that both tables have mean different things. */
export const STAFF_PERMISSIONS = {
  MANAGE_INSTANCE: 1 << 0,
  MANAGE_USERS: 1 << 1,
  MANAGE_COMMUNITIES: 1 << 2,
  HANDLE_REPORTS: 1 << 3,
  VIEW_AUDIT_LOG: 1 << 4,
  MANAGE_PEERS: 1 << 5,
} as const;

/** What staff may do, by its name on the wire. */
export type StaffPermission = keyof typeof STAFF_PERMISSIONS;

/** Reads names from the wire, in any order, and ignores names that `table` does not have. */
export function readPermissions<Name extends string>(
  table: PermissionTable<Name>,
  names: readonly string[],
): PermissionMask<Name> {
  const bits = names.map((name) => (isNameOf(table, name) ? table[name] : 0));
  return maskOf(bits.reduce((mask, bit) => mask | bit, 0));
}

/** The names in `mask` for the wire, each once, in the order of `table`. */
export function permissionNames<Name extends string>(
  table: PermissionTable<Name>,
  mask: PermissionMask<Name>,
): readonly Name[] {
  return Object.keys(table)
    .filter((name) => isNameOf(table, name))
    .filter((name) => hasPermission(table, mask, name));
}

/** Whether `mask` has `name`. ADMINISTRATOR is like any other permission here; the caller decides what it implies. */
export function hasPermission<Name extends string>(
  table: PermissionTable<Name>,
  mask: PermissionMask<Name>,
  name: Name,
): boolean {
  return (mask & table[name]) !== 0;
}

function isNameOf<Name extends string>(table: PermissionTable<Name>, name: string): name is Name {
  return Object.hasOwn(table, name);
}

// Guarantee: the number consists of bits of the table that the type names.
function maskOf<Name extends string>(bits: number): PermissionMask<Name> {
  return bits as PermissionMask<Name>;
}
