/**
 * A set of permissions: one bit for each name of its table, which has 64 names at most. Only functions of this file know what it
 * consists of. Masks are compared by {@link isSameMask}, stored and passed between processes as {@link maskDigits}, and never sent.
 */
export interface PermissionMask<Name extends string> {
  readonly ofNames: readonly Name[];
}

/** The bit of each permission, from 0 to 63. Bits are stored, so a bit never changes its name and a new name takes the next bit. */
export type PermissionTable<Name extends string> = Readonly<Record<Name, number>>;

/** Permissions of members in a community or in one of its channels. */
export const PERMISSIONS = {
  ADMINISTRATOR: 0,
  MANAGE_COMMUNITY: 1,
  MANAGE_ROLES: 2,
  MANAGE_CHANNELS: 3,
  MANAGE_INVITES: 4,
  MANAGE_EMOJI: 5,
  MANAGE_WEBHOOKS: 6,
  MANAGE_RULES: 7,
  VIEW_AUDIT_LOG: 8,
  VIEW_VOTES: 9,
  HANDLE_REPORTS: 10,
  KICK: 11,
  BAN: 12,
  TIMEOUT: 13,
  MANAGE_NICKNAMES: 14,
  MANAGE_CONTENT: 15,
  PIN: 16,
  AWARD_POINTS: 17,
  VIEW: 18,
  SEND_MESSAGES: 19,
  CREATE_POSTS: 20,
  COMMENT: 21,
  VOTE: 22,
  REACT: 23,
  ATTACH_FILES: 24,
  EMBED_LINKS: 25,
  MENTION_ALL: 26,
  CREATE_INVITES: 27,
  CHANGE_NICKNAME: 28,
  USE_COMMANDS: 29,
  BYPASS_SLOW_MODE: 30,
} as const;

/** A permission of a member, by its name on the wire. */
export type Permission = keyof typeof PERMISSIONS;

/** Permissions of staff on the whole instance. Names that both tables have mean different things. */
export const STAFF_PERMISSIONS = {
  MANAGE_INSTANCE: 0,
  MANAGE_USERS: 1,
  MANAGE_COMMUNITIES: 2,
  HANDLE_REPORTS: 3,
  VIEW_AUDIT_LOG: 4,
  MANAGE_PEERS: 5,
} as const;

/** A permission of staff, by its name on the wire. */
export type StaffPermission = keyof typeof STAFF_PERMISSIONS;

/** The number of digits of a mask. */
const DIGITS = 16;

const BITS_A_DIGIT = 4;
const HEXADECIMAL = '0123456789abcdef';

/** Reads names from the wire, in any order, and ignores names that `table` does not have. */
export function readPermissions<Name extends string>(
  table: PermissionTable<Name>,
  names: readonly string[],
): PermissionMask<Name> {
  let [low, high] = [0, 0];
  for (const name of names) {
    if (!isNameOf(table, name)) continue;
    // Shifts count modulo 32.
    const bit = 1 << table[name];
    if (table[name] < 32) low |= bit;
    else high |= bit;
  }
  return maskOf(low, high);
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

/** Returns whether `mask` has `name`. ADMINISTRATOR is like any other permission here; the caller decides what it implies. */
export function hasPermission<Name extends string>(
  table: PermissionTable<Name>,
  mask: PermissionMask<Name>,
  name: Name,
): boolean {
  const { low, high } = bitsOf(mask);
  const bit = table[name];
  return (((bit < 32 ? low : high) >>> bit) & 1) === 1;
}

/** Returns whether both masks have the same permissions. */
export function isSameMask<Name extends string>(
  one: PermissionMask<Name>,
  other: PermissionMask<Name>,
): boolean {
  const [a, b] = [bitsOf(one), bitsOf(other)];
  return a.low === b.low && a.high === b.high;
}

/** Returns whether `mask` has no permission. */
export function isEmptyMask(mask: PermissionMask<string>): boolean {
  const { low, high } = bitsOf(mask);
  return (low | high) === 0;
}

/** The permissions that either mask has. */
export function joined<Name extends string>(
  one: PermissionMask<Name>,
  other: PermissionMask<Name>,
): PermissionMask<Name> {
  const [a, b] = [bitsOf(one), bitsOf(other)];
  return maskOf(a.low | b.low, a.high | b.high);
}

/** The permissions that both masks have. */
export function both<Name extends string>(
  one: PermissionMask<Name>,
  other: PermissionMask<Name>,
): PermissionMask<Name> {
  const [a, b] = [bitsOf(one), bitsOf(other)];
  return maskOf(a.low & b.low, a.high & b.high);
}

/** The permissions that `one` has and `other` does not. */
export function without<Name extends string>(
  one: PermissionMask<Name>,
  other: PermissionMask<Name>,
): PermissionMask<Name> {
  const [a, b] = [bitsOf(one), bitsOf(other)];
  return maskOf(a.low & ~b.low, a.high & ~b.high);
}

/** The permissions of `mask` after a change: what it denies is removed and then what it allows is added, as far as `most` has it. */
export function changed<Name extends string>(
  mask: PermissionMask<Name>,
  { allow, deny }: Readonly<Record<'allow' | 'deny', PermissionMask<Name>>>,
  most: PermissionMask<Name>,
): PermissionMask<Name> {
  const [a, b, c, d] = [bitsOf(mask), bitsOf(deny), bitsOf(allow), bitsOf(most)];
  return maskOf(
    (a.low & ~(b.low & d.low)) | (c.low & d.low),
    (a.high & ~(b.high & d.high)) | (c.high & d.high),
  );
}

/**
 * A mask as 16 hexadecimal digits. The width is fixed so that SQL, where bits of text cannot be combined, compares masks as they
 * are, and tests one permission by the digit at its place.
 */
export function maskDigits(mask: PermissionMask<string>): string {
  const { low, high } = bitsOf(mask);
  return `${halfDigits(high)}${halfDigits(low)}`;
}

function halfDigits(bits: number): string {
  return (bits >>> 0).toString(16).padStart(DIGITS / 2, '0');
}

/** Reads digits that {@link maskDigits} made. */
export function parseMask<Name extends string>(digits: string): PermissionMask<Name> {
  const [high, low] = [digits.slice(0, DIGITS / 2), digits.slice(DIGITS / 2)];
  return maskOf(Number.parseInt(low, 16) | 0, Number.parseInt(high, 16) | 0);
}

/** The digit of a mask that shows whether it has `name`: its place, from 1, and its values in masks that have it. */
export function digitOf<Name extends string>(
  table: PermissionTable<Name>,
  name: Name,
): { readonly place: number; readonly values: readonly string[] } {
  const bit = table[name];
  return {
    place: DIGITS - Math.floor(bit / BITS_A_DIGIT),
    values: [...HEXADECIMAL].filter((_, value) => ((value >> (bit % BITS_A_DIGIT)) & 1) === 1),
  };
}

function isNameOf<Name extends string>(table: PermissionTable<Name>, name: string): name is Name {
  return Object.hasOwn(table, name);
}

/** A mask in memory: the first 32 bits and the others, because BigInt operations would cost ten times as much. */
interface Bits {
  readonly low: number;
  readonly high: number;
}

// Guarantee: the bits are those of the table that the type names. They are not frozen, which would cost more than all else.
function maskOf<Name extends string>(low: number, high: number): PermissionMask<Name> {
  return { low, high } satisfies Bits as unknown as PermissionMask<Name>;
}

// Guarantee: every mask was made by `maskOf`.
function bitsOf(mask: PermissionMask<string>): Bits {
  return mask as unknown as Bits;
}
