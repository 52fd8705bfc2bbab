import { expect, test } from 'bun:test';
import fc from 'fast-check';
import cases from '../../../docs/spec/cases/permissions.json';
import {
  EVERY_PERMISSION,
  isRestricted,
  permissionsOf,
  type CommunityRoles,
  type Overwrite,
  type OverwriteLevels,
  type Viewer,
} from './community-permissions.ts';
import { permissionNames, PERMISSIONS, readPermissions } from './permissions.ts';

/** An overwrite as it is written on the wire. */
interface WrittenOverwrite {
  readonly kind: string;
  readonly id: string;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

type WrittenRoles = Readonly<Record<string, readonly string[]>>;

function communityOf(roles: WrittenRoles): CommunityRoles {
  const masks = Object.entries(roles).map(
    ([id, names]) => [id, readPermissions(PERMISSIONS, names)] as const,
  );
  return { id: 'c', owner_id: 'owner', roles: new Map(masks) };
}

function levelsOf(levels: readonly (readonly WrittenOverwrite[])[]): OverwriteLevels {
  return levels.map((level) =>
    level.map(({ kind, id, allow = [], deny = [] }): Overwrite => ({
      kind: kind === 'role' ? 'role' : 'member',
      id,
      allow: readPermissions(PERMISSIONS, allow),
      deny: readPermissions(PERMISSIONS, deny),
    })),
  );
}

// Guarantee: the data file is part of this repository, and a viewer that cannot be understood fails its case.
const CASES = cases.cases as readonly {
  readonly name: string;
  readonly roles: WrittenRoles;
  readonly viewer: Viewer;
  readonly levels?: readonly (readonly WrittenOverwrite[])[];
  readonly may: 'all' | readonly string[];
  readonly restricted?: boolean;
}[];

test.each(CASES)('[CO1] $name', ({ roles, viewer, levels = [], may, restricted }) => {
  const community = communityOf(roles);
  const mask = permissionsOf(viewer, community, levelsOf(levels));
  const expected = may === 'all' ? Object.keys(PERMISSIONS) : may;
  expect<readonly string[]>(permissionNames(PERMISSIONS, mask).toSorted()).toEqual(
    [...expected].toSorted(),
  );
  if (restricted !== undefined) {
    expect(isRestricted(community, levelsOf(levels))).toBe(restricted);
  }
});

/** Computes the same rules for one permission at a time, step by step, with nothing of the evaluator. */
function mayAlone(
  name: string,
  viewer: Viewer,
  {
    roles,
    levels,
  }: { readonly roles: WrittenRoles; readonly levels: readonly (readonly WrittenOverwrite[])[] },
): boolean {
  const mine = viewer.kind === 'member' ? viewer.role_ids.filter((id) => id in roles) : [];
  if (viewer.kind === 'member') {
    if (viewer.id === 'owner') return true;
    if (['c', ...mine].some((id) => roles[id]?.includes('ADMINISTRATOR'))) return true;
    if (viewer.is_timed_out === true && name !== 'VIEW') return false;
  } else if (name !== 'VIEW') {
    if (viewer.kind === 'visitor' || !viewer.may_discuss) return false;
    if (name !== 'COMMENT' && name !== 'VOTE') return false;
  }
  if (name !== 'VIEW' && !mayAlone('VIEW', viewer, { roles, levels })) return false;
  let answer = ['c', ...mine].some((id) => roles[id]?.includes(name));
  if (['ADMINISTRATOR', 'MANAGE_ROLES', 'MANAGE_CHANNELS'].includes(name)) return answer;
  for (const level of levels) {
    const steps: ((overwrite: WrittenOverwrite) => boolean)[] = [
      ({ kind, id }) => kind === 'role' && id === 'c',
      ({ kind, id }) => kind === 'role' && id !== 'c' && mine.includes(id),
      ({ kind, id }) => kind === 'member' && viewer.kind === 'member' && id === viewer.id,
    ];
    for (const concerns of steps) {
      const those = level.filter(concerns);
      if (those.some(({ deny }) => deny?.includes(name))) answer = false;
      if (those.some(({ allow }) => allow?.includes(name))) answer = true;
    }
  }
  return answer;
}

const names = fc.subarray(Object.keys(PERMISSIONS));
const few = fc.subarray(['VIEW', 'SEND_MESSAGES', 'COMMENT', 'MANAGE_ROLES', 'ADMINISTRATOR']);
const someNames = fc.oneof(names, few, few);
const roleIds = ['c', 'r', 's', 't'];
const overwrite: fc.Arbitrary<WrittenOverwrite> = fc.oneof(
  fc.record({ kind: fc.constant('role'), id: fc.constantFrom(...roleIds), allow: few, deny: few }),
  fc.record({
    kind: fc.constant('member'),
    id: fc.constantFrom('ada', 'bob', 'r', 'owner'),
    allow: few,
    deny: few,
  }),
);
const viewer: fc.Arbitrary<Viewer> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      {
        kind: fc.constant('member' as const),
        id: fc.constantFrom('ada', 'bob', 'ada', 'bob', 'owner'),
        role_ids: fc.subarray(['r', 's', 't', 'gone']),
        is_timed_out: fc.boolean(),
      },
      { requiredKeys: ['kind', 'id', 'role_ids'] },
    ),
  },
  fc.record({ kind: fc.constant('account' as const), may_discuss: fc.boolean() }),
  fc.constant({ kind: 'visitor' } as const),
);

test('[CO1][CO1a][CO1b][CO1c] permissions are what an evaluator finds that asks for one permission at a time', () => {
  const roles = fc.record({ c: someNames, r: someNames, s: few, t: few });
  const levels = fc.array(fc.array(overwrite, { maxLength: 5 }), { maxLength: 2 });
  const property = fc.property(roles, levels, viewer, (written, places, who) => {
    const mask = permissionsOf(who, communityOf(written), levelsOf(places));
    const expected = Object.keys(PERMISSIONS).filter((name) =>
      mayAlone(name, who, { roles: written, levels: places }),
    );
    expect<readonly string[]>(permissionNames(PERMISSIONS, mask)).toEqual(expected);
  });
  fc.assert(property, { numRuns: 2_000 });
});

test('[CO1][CO1d] everybody sees a channel that is not restricted', () => {
  const roles = fc.record({ c: someNames, r: someNames, s: few, t: few });
  const levels = fc.array(fc.array(overwrite, { maxLength: 4 }), { maxLength: 2 });
  const property = fc.property(roles, levels, viewer, (written, places, who) => {
    const community = communityOf(written);
    fc.pre(!isRestricted(community, levelsOf(places)));
    const mask = permissionsOf(who, community, levelsOf(places));
    expect(permissionNames(PERMISSIONS, mask)).toContain('VIEW');
  });
  fc.assert(property, { numRuns: 500 });
});

test('[CO1] a mask of all permissions has all of them', () => {
  expect(EVERY_PERMISSION).toEqual(readPermissions(PERMISSIONS, Object.keys(PERMISSIONS)));
  expect(permissionNames(PERMISSIONS, EVERY_PERMISSION)).toHaveLength(31);
});
