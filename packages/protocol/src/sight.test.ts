import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { VISIBILITIES } from './communities.ts';
import {
  isRestricted,
  NO_PERMISSION,
  type CommunityRoles,
  type Overwrite,
  type Viewer,
} from './community-permissions.ts';
import { PERMISSIONS, readPermissions } from './permissions.ts';
import {
  channelSightOf,
  isSeenWith,
  lobbySightOf,
  seersOf,
  sightOf,
  type SightedCommunity,
} from './sight.ts';

const OWNER = 'owner';
const EVERYONE = 'garden';
const ROLES = ['one', 'two'] as const;
const VIEW = readPermissions(PERMISSIONS, ['VIEW']);

/** The rights to read, follow and find, in this order. */
type Shown = '---' | 'r--' | 'rf-' | 'rfl';

const CASES: readonly (readonly [string, 'anybody else' | 'member' | 'owner', Shown])[] = [
  ['public', 'anybody else', 'rfl'],
  ['unlisted', 'anybody else', 'rf-'],
  ['private', 'anybody else', '---'],
  ['public', 'member', 'rfl'],
  ['unlisted', 'member', 'rfl'],
  ['private', 'member', 'rfl'],
  ['deleted', 'anybody else', '---'],
  ['deleted', 'member', '---'],
  ['deleted', 'owner', 'r--'],
];

test.each(CASES)('[CO10] what is %s shows to %s: %s', (state, who, shown) => {
  const memberId = who === 'anybody else' ? undefined : who;
  for (const visibility of VISIBILITIES) {
    if (state !== 'deleted' && state !== visibility) continue;
    const community = { owner_id: OWNER, visibility, is_deleted: state === 'deleted' };
    expect(written(sightOf(community, memberId))).toBe(shown);
    expect(written(sightOf(community, memberId, VIEW))).toBe(shown);
    expect(written(sightOf(community, memberId, NO_PERMISSION))).toBe('---');
  }
});

test.each([
  ['open', 'rfl', 'rfl'],
  ['accounts', '---', 'rfl'],
  ['off', '---', '---'],
] as const)(
  '[LA4] a lobby that is %s shows %s to guests, and %s to people with an account',
  (mode, guests, people) => {
    expect([lobbySightOf(mode, false), lobbySightOf(mode, true)].map(written)).toEqual([
      guests,
      people,
    ]);
  },
);

const mask = fc.constantFrom(NO_PERMISSION, VIEW, readPermissions(PERMISSIONS, ['REACT']));
const overwrite: fc.Arbitrary<Overwrite> = fc
  .record({ id: fc.constantFrom(EVERYONE, ...ROLES, 'member'), allow: mask, deny: mask })
  .map(({ id, ...rest }) => ({ id, kind: id === 'member' ? 'member' : 'role', ...rest }));
const community: fc.Arbitrary<SightedCommunity & CommunityRoles> = fc
  .record({
    visibility: fc.constantFrom(...VISIBILITIES),
    is_deleted: fc.boolean(),
    masks: fc.tuple(mask, mask, mask),
  })
  .map(({ masks, ...rest }) => ({
    ...rest,
    id: EVERYONE,
    owner_id: OWNER,
    roles: new Map([EVERYONE, ...ROLES].map((id, at) => [id, masks[at] ?? NO_PERMISSION])),
  }));
const viewer: fc.Arbitrary<Viewer> = fc.oneof(
  fc.record({
    kind: fc.constant('member' as const),
    id: fc.constantFrom('member', 'other', OWNER),
    role_ids: fc.subarray([...ROLES]),
    is_timed_out: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('account' as const), may_discuss: fc.boolean() }),
  fc.constant({ kind: 'visitor' as const }),
);

const levels = fc.array(fc.array(overwrite, { maxLength: 4 }), { maxLength: 2 });
const MEMBERS = ['member', 'other'].flatMap((id) =>
  [[], ['one'], ['two'], [...ROLES]].map((role_ids) => ({ kind: 'member' as const, id, role_ids })),
);

test('[CO10] members see a channel that nobody sees without a reason if they have one of the roles or are one of the people', () => {
  fc.assert(
    fc.property(community, levels, (garden, rules) => {
      const seers = seersOf(garden, rules);
      for (const member of MEMBERS) {
        const { follows } = channelSightOf(member, garden, rules);
        if (seers === undefined || !follows) continue;
        const isOne = seers.members.includes(member.id);
        expect(isOne || member.role_ids.some((id) => seers.roles.includes(id))).toBe(true);
      }
      const follows = (id: string, role_ids: readonly string[]) =>
        channelSightOf({ kind: 'member', id, role_ids }, garden, rules).follows;
      expect(seers === undefined).toBe(follows('nobody', []));
      for (const id of seers?.roles ?? []) expect(follows('nobody', [id])).toBe(true);
      for (const id of seers?.members ?? []) expect(follows(id, [])).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('[CO10] a channel is seen with another one only if all who see that one see it', () => {
  const channel = fc.tuple(community, levels, levels);
  fc.assert(
    fc.property(channel, fc.boolean(), ([garden, some, others], isCopy) => {
      const sighted = (rules: typeof some) => ({
        levels: rules,
        isRestricted: isRestricted(garden, rules),
      });
      const one = sighted(some);
      const other = sighted(isCopy ? structuredClone(some) : others);
      const isSeen = isSeenWith(other, one);
      if (isCopy || !other.isRestricted) expect(isSeen).toBe(true);
      if (!isSeen) return;
      for (const member of MEMBERS) {
        const [there, here] = [one, other].map((each) =>
          channelSightOf(member, garden, each.levels),
        );
        if (there?.follows === true) expect(here?.follows).toBe(true);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('[CO1] a channel that is not restricted shows as much to everyone as its community', () => {
  fc.assert(
    fc.property(
      fc.record({
        community,
        viewer,
        rules: levels,
      }),
      ({ community: garden, viewer: by, rules }) => {
        const whole = sightOf(garden, by.kind === 'member' ? by.id : undefined);
        const there = channelSightOf(by, garden, rules);
        if (isRestricted(garden, rules))
          expect([whole, sightOf(garden, undefined, NO_PERMISSION)]).toContain(there);
        else expect(there).toEqual(whole);
      },
    ),
    { numRuns: 2_000 },
  );
});

function written({ reads, follows, finds }: ReturnType<typeof sightOf>): string {
  return [reads ? 'r' : '-', follows ? 'f' : '-', finds ? 'l' : '-'].join('');
}
