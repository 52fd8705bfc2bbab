import { describe, expect, expectTypeOf, test } from 'bun:test';
import fc from 'fast-check';
import {
  both,
  digitOf,
  hasPermission,
  isEmptyMask,
  isSameMask,
  joined,
  maskDigits,
  parseMask,
  permissionNames,
  PERMISSIONS,
  readPermissions,
  STAFF_PERMISSIONS,
  without,
  type Permission,
  type PermissionMask,
  type PermissionTable,
  type StaffPermission,
} from './permissions.ts';

// Masks are stored: a name that is added goes to the end of its list, and no name ever moves.
const NAMES =
  'ADMINISTRATOR MANAGE_COMMUNITY MANAGE_ROLES MANAGE_CHANNELS MANAGE_INVITES MANAGE_EMOJI MANAGE_WEBHOOKS ' +
  'MANAGE_RULES VIEW_AUDIT_LOG VIEW_VOTES HANDLE_REPORTS KICK BAN TIMEOUT MANAGE_NICKNAMES MANAGE_CONTENT PIN ' +
  'AWARD_POINTS VIEW SEND_MESSAGES CREATE_POSTS COMMENT VOTE REACT ATTACH_FILES EMBED_LINKS MENTION_ALL ' +
  'CREATE_INVITES CHANGE_NICKNAME USE_COMMANDS BYPASS_SLOW_MODE';
const STAFF_NAMES =
  'MANAGE_INSTANCE MANAGE_USERS MANAGE_COMMUNITIES HANDLE_REPORTS VIEW_AUDIT_LOG MANAGE_PEERS';

/** As many names as a table may have. */
const MOST = Array.from({ length: 64 }, (_, bit) => `NAME_${bit}`);
const LARGEST: PermissionTable<string> = Object.fromEntries(MOST.map((name, bit) => [name, bit]));

const TABLES: readonly (readonly [string, PermissionTable<string>, string])[] = [
  ['of the largest table', LARGEST, MOST.join(' ')],
  ['of members', PERMISSIONS, NAMES],
  ['of staff', STAFF_PERMISSIONS, STAFF_NAMES],
];

describe.each(TABLES)('permissions %s', (_whose, table, names) => {
  const known = names.split(' ');

  test('permissions have the bits that stored masks use', () => {
    expect(Object.entries(table)).toEqual(known.map((name, index) => [name, index]));
  });

  test('permissions are unchanged after being written and read, in the order of the table', () => {
    const property = fc.property(fc.subarray(known), (chosen) => {
      const mask = readPermissions(table, chosen);
      expect(permissionNames(table, mask)).toEqual(chosen);
      expect(readPermissions(table, permissionNames(table, mask))).toEqual(mask);
      expect(parseMask(maskDigits(mask))).toEqual(mask);
    });
    fc.assert(property);
  });

  test('permissions are read in any order, however often each is named, and unknown names are ignored', () => {
    const name = fc.oneof(fc.constantFrom(...known), fc.string());
    const property = fc.property(fc.array(name), (given) => {
      const mask = readPermissions(table, given);
      for (const each of known) {
        expect(hasPermission(table, mask, each)).toBe(given.includes(each));
      }
      expect(permissionNames(table, mask)).toEqual(known.filter((each) => given.includes(each)));
    });
    fc.assert(property);
  });

  test('permissions are joined, intersected, subtracted and compared as sets of their names', () => {
    const some = fc.subarray(known);
    const property = fc.property(some, some, (first, second) => {
      const [one, other] = [readPermissions(table, first), readPermissions(table, second)];
      const [a, b] = [new Set(first), new Set(second)];
      const names = (mask: PermissionMask<string>) => new Set(permissionNames(table, mask));
      expect(names(joined(one, other))).toEqual(a.union(b));
      expect(names(both(one, other))).toEqual(a.intersection(b));
      expect(names(without(one, other))).toEqual(a.difference(b));
      const isSame = a.symmetricDifference(b).size === 0;
      expect(isSameMask(one, other)).toBe(isSame);
      expect(maskDigits(one) === maskDigits(other)).toBe(isSame);
      expect(isEmptyMask(one)).toBe(first.length === 0);
      expect(isSameMask(joined(without(one, other), both(one, other)), one)).toBe(true);
    });
    fc.assert(property);
  });

  test('permissions are seen in one digit of their mask', () => {
    const property = fc.property(fc.subarray(known), fc.constantFrom(...known), (chosen, name) => {
      const { place, values } = digitOf(table, name);
      const digit = maskDigits(readPermissions(table, chosen))[place - 1] ?? '';
      expect(values.includes(digit)).toBe(chosen.includes(name));
    });
    fc.assert(property);
  });
});

// Digits are stored.
test.each([
  ['no bit', [], '0000000000000000'],
  ['the first bit', ['NAME_0'], '0000000000000001'],
  ['bit 18', ['NAME_18'], '0000000000040000'],
  ['bit 31', ['NAME_31'], '0000000080000000'],
  ['bit 32', ['NAME_32'], '0000000100000000'],
  ['the last bit', ['NAME_63'], '8000000000000000'],
  ['all bits', MOST, 'ffffffffffffffff'],
])('a mask of %s has the same digits as ever', (_which, names, digits) => {
  const mask = readPermissions(LARGEST, names);
  expect(maskDigits(mask)).toBe(digits);
  expect(permissionNames(LARGEST, parseMask(digits))).toEqual(names);
});

test('masks of the two tables have different types', () => {
  const mask = readPermissions(PERMISSIONS, ['HANDLE_REPORTS']);
  expectTypeOf(mask).toEqualTypeOf<PermissionMask<Permission>>();
  expectTypeOf(mask).not.toExtend<PermissionMask<StaffPermission>>();
});
