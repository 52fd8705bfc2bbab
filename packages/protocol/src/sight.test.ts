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
import { channelSightOf, sightOf, type SightedCommunity } from './sight.ts';

const OWNER = 'owner';
const EVERYONE = 'garden';
const ROLES = ['one', 'two'] as const;
const VIEW = readPermissions(PERMISSIONS, ['VIEW']);

/** What is read, followed and found, in this order. */
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

test('[CO1] a channel that is not restricted shows as much to everyone as its community', () => {
  fc.assert(
    fc.property(
      fc.record({
        community,
        viewer,
        levels: fc.array(fc.array(overwrite, { maxLength: 3 }), { maxLength: 2 }),
      }),
      ({ community: garden, viewer: by, levels }) => {
        const whole = sightOf(garden, by.kind === 'member' ? by.id : undefined);
        const there = channelSightOf(by, garden, levels);
        if (isRestricted(garden, levels))
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
