import { describe, expect, expectTypeOf, test } from 'bun:test';
import fc from 'fast-check';
import {
  hasPermission,
  permissionNames,
  PERMISSIONS,
  readPermissions,
  STAFF_PERMISSIONS,
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

const TABLES: readonly (readonly [string, PermissionTable<string>, string])[] = [
  ['of members', PERMISSIONS, NAMES],
  ['of staff', STAFF_PERMISSIONS, STAFF_NAMES],
];

describe.each(TABLES)('permissions %s', (_whose, table, names) => {
  const known = names.split(' ');

  test('have the bits that stored masks use', () => {
    expect(Object.entries(table)).toEqual(known.map((name, index) => [name, 2 ** index]));
  });

  test('are unchanged after being written and read, in the order of the table', () => {
    const property = fc.property(fc.subarray(known), (chosen) => {
      const mask = readPermissions(table, chosen);
      expect(permissionNames(table, mask)).toEqual(chosen);
      expect(readPermissions(table, permissionNames(table, mask))).toBe(mask);
    });
    fc.assert(property);
  });

  test('are read in any order, however often each is named, and unknown names are ignored', () => {
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
});

test('masks of the two tables have different types', () => {
  const mask = readPermissions(PERMISSIONS, ['HANDLE_REPORTS']);
  expectTypeOf(mask).toEqualTypeOf<PermissionMask<Permission>>();
  expectTypeOf(mask).not.toExtend<PermissionMask<StaffPermission>>();
});
