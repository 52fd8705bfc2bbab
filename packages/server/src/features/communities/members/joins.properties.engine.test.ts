import {
  ProtocolError,
  type Id,
  type NewCommunityInvite,
  type OwnCommunity,
} from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { runs } from '@hearth/testing/runs';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import type { Writing } from '../../../ports/outbox/outbox.ts';
import { setBan } from '../bans/set-ban.ts';
import { changeCommunity } from '../communities/change-community.ts';
import { createCommunityInvite } from '../community-invites/create-community-invite.ts';
import { selectInvite, type StoredInvite } from '../community-invites/store.ts';
import { useInvites } from '../community-invites/use-invite.ts';
import { askToJoin } from '../join-requests/ask-to-join.ts';
import { createRole } from '../roles/create-role.ts';
import { changeMember } from './change-member.ts';
import { joinAll, joinCommunity } from './join-community.ts';
import { leaveCommunity } from './leave-community.ts';
import { insertMembers } from '../structure/new-members-store.ts';

const HOUR_MS = 3_600_000;

/** The number of communities of which somebody may be a member. */
const MOST = 100;

function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The number of calls that are done together. */
const CALLS = 30;

function anyOf<Item>(list: readonly Item[], below: (most: number) => number): Item {
  const item = list[below(list.length)];
  if (item === undefined) throw new Error('the list is empty');
  return item;
}

/** An instance with people of every kind, and communities that they may join or not: the same ids each time. */
interface Stage extends AsyncDisposable {
  readonly own: CommunityTest;
  readonly people: readonly Account[];
  readonly communities: readonly Id[];
  readonly invites: readonly StoredInvite[];
}

async function setStage(open: () => Promise<TestDatabase>): Promise<Stage> {
  const own = await communityTest(open);
  const { ctx } = own;
  const ada = await own.person('ada');
  const make = async (visibility: 'public' | 'private' = 'public') =>
    (await own.garden(ada, { visibility, ...(visibility === 'public' && { join: 'open' }) })).id;
  const [first, second, closed, hidden, gone] = [
    await make(),
    await make(),
    await make(),
    await make('private'),
    await make(),
  ];
  const people: Account[] = [];
  for (const name of ['bob', 'cyd', 'dan', 'eve', 'fay', 'gus', 'hal', 'ivy']) {
    people.push(await own.person(name));
  }
  const [, member, banned, muted, asking, almost, full, deleted] = people as [
    ...[Account, Account, Account, Account, Account, Account, Account, Account],
  ];
  await joinCommunity(ctx, member, { community_id: first });
  const until = own.clock.unixMs() + HOUR_MS;
  const { user_id: bannedId } = banned;
  await setBan(ctx, ada, { community_id: first, user_id: bannedId, expires_at: until });
  await joinCommunity(ctx, muted, { community_id: second });
  const timeOut = { community_id: second, user_id: muted.user_id, timed_out_until: until };
  await changeMember(ctx, ada, timeOut);
  await leaveCommunity(ctx, muted, { community_id: second });
  await changeCommunity(ctx, ada, { id: first, join: 'request' });
  await askToJoin(ctx, asking, { community_id: first, text: 'Please' });
  await changeCommunity(ctx, ada, { id: first, join: 'open' });
  await changeCommunity(ctx, ada, { id: closed, join: 'invite' });
  await fill(own, { almost, full, like: first });
  const invites = await inviteTo(own, ada, { first, second, closed, hidden, gone });
  await ctx.database.transaction(async ({ sql }) => {
    await sql.updateTable('communities').set({ deleted_at_ms: 1 }).where('id', '=', gone).execute();
    const { user_id: id } = deleted;
    await sql.updateTable('users').set({ state: 'deleted' }).where('id', '=', id).execute();
  });
  await own.emitted();
  return {
    own,
    people: [ada, ...people],
    communities: [first, first, first, second, second, closed, hidden, gone],
    invites,
    [Symbol.asyncDispose]: () => own[Symbol.asyncDispose](),
  };
}

type Places = Readonly<Record<'first' | 'second' | 'closed' | 'hidden' | 'gone', Id>>;

/** Makes invites, some of which are for few, give a role, or are for a community that was deleted. */
async function inviteTo(
  { ctx }: CommunityTest,
  ada: Account,
  { first, second, closed, hidden, gone }: Places,
): Promise<readonly StoredInvite[]> {
  const role = await createRole(ctx, ada, {
    ...{ community_id: second, name: 'gardeners', permissions: [] },
    ...{ hoisted: false, mentionable: false, self_assignable: false },
  });
  const invite = async (community_id: Id, input: NewCommunityInvite = {}) => {
    const { code } = await createCommunityInvite(ctx, ada, { community_id, ...input });
    // Codes are random, and are the same in both instances.
    const same = `invite-${community_id}-${input.max_uses ?? 0}`;
    await ctx.database.transaction(({ sql }) =>
      sql.updateTable('community_invites').set({ code: same }).where('code', '=', code).execute(),
    );
    const made = await selectInvite(ctx.database.reader, same);
    if (made === undefined) throw new Error('the invite is not there');
    return made;
  };
  return [
    await invite(first, { max_uses: 3 }),
    await invite(first),
    await invite(second, { role_ids: [role.id] }),
    await invite(closed, { max_uses: 1 }),
    await invite(hidden),
    await invite(gone),
  ];
}

/** Makes two people members of nearly as many communities as possible, and of as many. */
async function fill(
  { ctx }: CommunityTest,
  { almost, full, like }: { readonly almost: Account; readonly full: Account; readonly like: Id },
): Promise<void> {
  const ids: Id[] = [];
  for (let count = 0; count < MOST; count += 1) ids.push(await ctx.ids.next());
  await ctx.database.transaction(async (tx) => {
    const row = await tx.sql
      .selectFrom('communities')
      .selectAll()
      .where('id', '=', like)
      .executeTakeFirstOrThrow();
    const rows = ids.map((id) => ({ ...row, id }));
    await tx.sql.insertInto('communities').values(rows).execute();
    const of = ({ user_id: userId }: Account) =>
      ids.map((communityId) => ({ communityId, userId }));
    await insertMembers(tx, [...of(almost).slice(1), ...of(full)], 1);
  });
}

type Answer = OwnCommunity | readonly [string, unknown];
type Call = (stage: Stage, writing: Writing) => Promise<OwnCommunity>;

/** Does calls together, or one after another. */
async function answers(
  stage: Stage,
  calls: readonly Call[],
  how: 'together' | 'one by one',
): Promise<readonly Answer[]> {
  const answer = async (call: Call, at: number): Promise<Answer> => {
    try {
      // Each is a caller of its own, so that none comes before those that were there first.
      return await call(stage, { subjects: ['joins'], caller: String(at) });
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return [error.name, { ...error }];
    }
  };
  if (how === 'together') return await Promise.all(calls.map(answer));
  const all: Answer[] = [];
  for (const [at, call] of calls.entries()) all.push(await answer(call, at));
  return all;
}

async function stored({ own }: Stage) {
  const { reader } = own.database;
  const tables = ['members', 'member_names', 'member_roles', 'kept_time_outs', 'join_requests'];
  const rows: Record<string, unknown> = {};
  for (const table of tables as readonly 'members'[]) {
    rows[table] = await reader
      .selectFrom(table)
      .selectAll()
      .orderBy('community_id')
      .orderBy('user_id')
      .execute();
  }
  const communities = reader.selectFrom('communities').select(['id', 'member_count', 'version']);
  const invites = reader.selectFrom('community_invites').select(['code', 'uses', 'used_at_ms']);
  return {
    ...rows,
    communities: await communities.orderBy('id').execute(),
    invites: await invites.orderBy('code').execute(),
  };
}

onEachDatabase((open) => {
  /** Compares what two instances of the same kind answer, store and send. */
  async function expectSame(callsOf: (stage: Stage) => readonly Call[]): Promise<void> {
    await using one = await setStage(open);
    await using other = await setStage(open);
    const together = await answers(one, callsOf(one), 'together');
    expect(together).toEqual([...(await answers(other, callsOf(other), 'one by one'))]);
    expect(await stored(one)).toEqual(await stored(other));
    expect(await one.own.emitted()).toEqual([...(await other.own.emitted())]);
  }

  // With 6, somebody who is in as many communities as possible comes before others who use the same invite.
  const SEEDS = new Set([6, ...Array.from({ length: runs(1) }, (_, at) => at + 1)]);

  test.each([...SEEDS])(
    '[SC32] calls that are written together do what they do one after another (seed %d)',
    async (seed) => {
      await expectSame(({ people, communities }) => {
        const below = randomNumbers(seed);
        return Array.from({ length: CALLS }, () => {
          const { user_id: userId } = anyOf(people, below);
          const communityId = anyOf(communities, below);
          return ({ own: { ctx } }, writing) =>
            ctx.database.write(joinAll, { ctx, communityId, userId }, writing);
        });
      });
    },
  );

  test.each([...SEEDS])(
    '[SC32] invites that are used together let in whom they let in one after another (seed %d)',
    async (seed) => {
      await expectSame(({ people, invites }) => {
        const below = randomNumbers(seed);
        return Array.from({ length: CALLS }, () => {
          const { user_id: userId } = anyOf(people, below);
          const invite = anyOf(invites, below);
          return ({ own: { ctx } }, writing) =>
            ctx.database.write(useInvites, { ctx, invite, userId }, writing);
        });
      });
    },
  );
});
