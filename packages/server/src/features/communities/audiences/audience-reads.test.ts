import { expect, test } from 'bun:test';
import { formatId, readPermissions, PERMISSIONS, type Id } from '@hearth/protocol';
import { COMMUNITIES, followedIn } from './find-audiences.ts';
import { streamsOf, type AudienceCommunity } from './streams-of.ts';
import { AudienceReads, ChangesSince } from './audience-reads.ts';
import { Since } from '../../../components/gateway/since.ts';

const id = (sequence: number) => formatId({ seconds: 1, instanceId: 1, sequence });
const [GARDEN, OWNER, MEMBER, ROLE, HIDDEN] = [id(1), id(2), id(3), id(4), id(5)];
const VIEW = readPermissions(PERMISSIONS, ['VIEW']);
const NONE = readPermissions(PERMISSIONS, []);

function garden(
  permissions: Parameters<typeof readPermissions>[1] = [],
  others: Partial<AudienceCommunity> = {},
): AudienceCommunity {
  return {
    id: GARDEN,
    owner_id: OWNER,
    roles: new Map([
      [GARDEN, VIEW],
      [ROLE, readPermissions(PERMISSIONS, permissions)],
    ]),
    visibility: 'private',
    is_deleted: false,
    restricted: [
      { id: HIDDEN, levels: [[], [{ id: GARDEN, kind: 'role', allow: NONE, deny: VIEW }]] },
    ],
    ...others,
  };
}

test.each([
  [[], []],
  [['ADMINISTRATOR'], [`r:${HIDDEN}`, `m:${GARDEN}`]],
  [['KICK'], [`m:${GARDEN}`]],
  [['BAN'], [`m:${GARDEN}`]],
  [['HANDLE_REPORTS'], [`m:${GARDEN}`]],
  [['MANAGE_INVITES'], [`m:${GARDEN}`]],
  [['TIMEOUT', 'MANAGE_ROLES', 'MANAGE_CONTENT'], []],
] as const)('[GC2] a member with %j follows the community and %j', (permissions, streams) => {
  const member = { userId: MEMBER, roleIds: [ROLE] };
  expect(streamsOf(garden(permissions), member)).toEqual([`c:${GARDEN}`, ...streams]);
  expect(streamsOf(garden(permissions, { is_deleted: true }), member)).toEqual([]);
  const owner = { userId: OWNER, roleIds: [] };
  expect(streamsOf(garden(permissions), owner)).toEqual([
    `c:${GARDEN}`,
    `r:${HIDDEN}`,
    `m:${GARDEN}`,
  ]);
});

/** Everyone is a member of the garden. */
function openReads() {
  const asked: { readonly kind: string; readonly count: number }[] = [];
  const found = (users: readonly Id[]) =>
    followedIn({
      communities: new Map([[GARDEN, garden()]]),
      members: new Map(users.map((userId) => [userId, [memberOf(userId)]])),
    });
  const reads = new AudienceReads({
    kinds: [COMMUNITIES],
    queries: {
      async followed({ users, homes }) {
        asked.push({ kind: homes === undefined ? 'users' : 'homes', count: users.length });
        return found(users);
      },
      async whole({ users, members }) {
        asked.push({ kind: 'whole', count: users.length });
        asked.push({ kind: 'members', count: members.length });
        return () => ({ communities: [], read_states: [], notification_settings: [] });
      },
    },
    database: { onChange: () => () => {} },
    since: () =>
      new Since(
        () => ({ epoch: 'E', position: 0 }),
        () => {},
      ),
  });
  return { reads, asked };
}

const memberOf = (userId: Id) => ({
  ...{ communityId: GARDEN, userId, nickname: '', roleIds: [], joinedAtMs: 1 },
  ...{ timedOutUntilMs: 0, version: 1 },
});

test('[GC3] however many users come at once, they are looked up together, and each gets its own', async () => {
  const { reads, asked } = openReads();
  const users = Array.from({ length: 2_000 }, (_, index) => id(100 + index));
  const standings = await Promise.all(users.map((user) => reads.ofUser(user)));
  expect(standings.map(({ seats }) => seats.length)).toEqual(users.map(() => 1));
  expect(asked.map(({ count }) => count)).toEqual(Array(10).fill(200));
  asked.length = 0;
  await Promise.all(users.slice(0, 50).map((user) => reads.wholeOf(user)));
  expect(asked).toEqual([
    { kind: 'users', count: 50 },
    { kind: 'whole', count: 50 },
    { kind: 'members', count: 50 },
  ]);
  asked.length = 0;
  await Promise.all([1, 2, 3].map((garden) => reads.ofHome(`c:${id(garden)}`, users)));
  expect(asked).toEqual([{ kind: 'homes', count: 2_000 }]);
});

test('[GC3] what the database reports while something is read is known afterwards', () => {
  const changes = new ChangesSince([COMMUNITIES]);
  changes.note([
    { kind: 'members', id: `${GARDEN} ${MEMBER}` },
    { kind: 'communities', id: HIDDEN },
  ]);
  expect([...changes.joinedBy(MEMBER)]).toEqual([`c:${GARDEN}`]);
  const concerns = [GARDEN, HIDDEN, ROLE].map((each) => changes.mayConcern(`c:${each}`, OWNER));
  expect(concerns).toEqual([false, true, false]);
  expect(changes.mayConcern(`c:${GARDEN}`, MEMBER)).toBe(true);
  changes.note('unknown');
  expect([changes.mayConcern(`c:${ROLE}`, OWNER), changes.isUnknown]).toEqual([true, true]);
});
