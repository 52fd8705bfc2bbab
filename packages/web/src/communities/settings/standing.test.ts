import type { Permission } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { channel, garden, idOf, role } from '../../../test/support/fake-communities.ts';
import { pagesFor } from './pages-for.ts';
import { hasAllOf, mayActOn, mayChangeRole } from './standing.ts';

const everyone = role('1', 'everyone', { position: 0 });
const helper = role('11', 'helper', { position: 1 });
const lead = role('12', 'lead', { position: 2 });
const [owner, reader, other] = [idOf('7'), idOf('8'), idOf('9')];

const community = garden({
  roles: [everyone, helper, lead],
  membership: { role_ids: [helper.id], joined_at: 0, version: 1 },
});

test('[WC137] only roles below one’s own can be changed, and everyone’s; owners change all', () => {
  const changeable = (by: typeof owner) =>
    community.roles.filter((each) => mayChangeRole(community, each, by)).map(({ name }) => name);
  expect(changeable(reader)).toEqual(['everyone']);
  expect(changeable(owner)).toEqual(['everyone', 'helper', 'lead']);
});

test('[WC137] one acts only on members below oneself, never on the owner', () => {
  const may = (id: typeof owner, roleIds: readonly (typeof owner)[]) =>
    mayActOn(community, { user: { id }, role_ids: roleIds }, { reader, needs: 'KICK' });
  expect([may(other, []), may(other, [helper.id]), may(owner, [])]).toEqual([true, false, false]);
  const without = { ...community, permissions: new Set<never>() };
  expect(mayActOn(without, { user: { id: other }, role_ids: [] }, { reader, needs: 'KICK' })).toBe(
    false,
  );
});

test('[WC347] a role is offered only to those who have all of its permissions, also in the channels that they see', () => {
  const [pins, bans] = [
    role('21', 'pins', { position: 1, permissions: ['PIN'] }),
    role('22', 'bans', { position: 1, permissions: ['PIN', 'BAN'] }),
  ];
  const talk = channel('31', 'talk');
  const overwrites = [{ id: pins.id, kind: 'role' as const, allow: ['REACT' as const], deny: [] }];
  const detailed = { ...talk, details: { ...talk, overwrites } };
  const may = (permissions: readonly Permission[], channels = [talk]) =>
    [pins, bans].map((each) =>
      hasAllOf({ ...community, permissions: new Set(permissions), channels }, each),
    );
  expect(may(['PIN'])).toEqual([true, false]);
  expect(may(['PIN', 'BAN'])).toEqual([true, true]);
  const muted = { ...detailed, permissions: new Set<Permission>(['VIEW']) };
  expect(may(['PIN', 'BAN'], [detailed])).toEqual([true, true]);
  expect(may(['PIN', 'BAN'], [muted])).toEqual([false, true]);
});

test('[WC137] everyone sees the members and how to leave, and other pages by their permissions', () => {
  expect(pagesFor({ permissions: new Set() })).toEqual(['members', 'leave']);
  expect(pagesFor({ permissions: new Set(['BAN', 'CREATE_INVITES']) })).toEqual([
    'members',
    'invites',
    'bans',
    'leave',
  ]);
});
