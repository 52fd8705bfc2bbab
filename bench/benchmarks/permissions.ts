import {
  hasPermission,
  NEW_EVERYONE_PERMISSIONS,
  NO_PERMISSION,
  PERMISSIONS,
  permissionsOf,
  readPermissions,
  type OverwriteLevels,
  type Permission,
} from '@hearth/protocol';
import type { Benchmark } from '../benchmark.ts';
import { hasByNumbers, withNumbers } from '../yardsticks/number-masks.ts';

const ROLES = 8;
const TIMES = 50;
const ROUNDS = 1_000;
const FEW_ROUNDS = 2;
const NANOSECONDS_A_MILLISECOND = 1e6;
const GOAL = { most: 2 };

const maskOf = (...names: Permission[]) => readPermissions(PERMISSIONS, names);

const COMMUNITY = {
  id: 'everyone',
  owner_id: 'owner',
  roles: new Map([
    ['everyone', NEW_EVERYONE_PERMISSIONS],
    ...Array.from({ length: ROLES }, (_, at) => {
      return [`role ${at}`, maskOf('VIEW', 'PIN', at % 2 === 0 ? 'REACT' : 'KICK')] as const;
    }),
  ]),
};

const role = (id: string, allow = NO_PERMISSION, deny = NO_PERMISSION) =>
  ({ kind: 'role', id, allow, deny }) as const;

const PLACES: readonly (readonly [string, OverwriteLevels])[] = [
  ['a channel without overwrites', [[], []]],
  [
    'a restricted channel',
    [
      [role('everyone', NO_PERMISSION, maskOf('ATTACH_FILES'))],
      [
        role('everyone', NO_PERMISSION, maskOf('VIEW')),
        role('role 1', maskOf('VIEW')),
        role('role 3', maskOf('VIEW'), maskOf('PIN')),
        { kind: 'member', id: 'member 2', allow: maskOf('VIEW'), deny: NO_PERMISSION },
      ],
    ],
  ],
];

const MEMBERS = Array.from({ length: 64 }, (_, at) => {
  const ids = [`role ${at % ROLES}`, `role ${(at * 3) % ROLES}`].slice(at % 3);
  return { kind: 'member', id: `member ${at}`, role_ids: ids } as const;
});

/** Returns whether a member may send messages. */
type Check = (member: (typeof MEMBERS)[number]) => boolean;

/** A check of a permission, compared with one of masks that are numbers. */
export const PERMISSION_CHECKS: Benchmark = {
  name: 'permissions',
  about: 'checks of a permission of a member in a channel, against masks that are numbers',
  async *run({ isShort }) {
    for (const [where, levels] of PLACES) {
      const numbers = withNumbers(COMMUNITY, levels);
      const theirs: Check = (member) => hasByNumbers(numbers, member, 'SEND_MESSAGES');
      const ours: Check = (member) =>
        hasPermission(PERMISSIONS, permissionsOf(member, COMMUNITY, levels), 'SEND_MESSAGES');
      if (MEMBERS.some((member) => ours(member) !== theirs(member)))
        throw new Error('the two do not agree');
      // The least of short turns: others that use the processor only add to the time.
      let [own, other] = [Infinity, Infinity];
      for (let round = 0; round < (isShort ? FEW_ROUNDS : ROUNDS); round += 1) {
        other = Math.min(other, nanosecondsOf(theirs));
        own = Math.min(own, nanosecondsOf(ours));
      }
      const row = { work: `a check in ${where}`, unit: 'ns' };
      yield { ...row, subject: 'masks that are numbers', value: other };
      yield { ...row, subject: 'hearth', value: own, ratio: own / other, goal: GOAL };
    }
  },
};

/** Measures one check. */
function nanosecondsOf(check: Check): number {
  let count = 0;
  const start = performance.now();
  for (let time = 0; time < TIMES; time += 1) {
    for (const member of MEMBERS) if (check(member)) count += 1;
  }
  const milliseconds = performance.now() - start;
  if (count > TIMES * MEMBERS.length) throw new RangeError('there are more than all members');
  return (milliseconds * NANOSECONDS_A_MILLISECOND) / (TIMES * MEMBERS.length);
}
