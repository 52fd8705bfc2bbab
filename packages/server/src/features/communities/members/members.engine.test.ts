import { storedId } from '../../../ports/database/stored-id.ts';
import { type Id, type NewRole } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { reasonOf } from '@hearth/testing/reason-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { createChannel } from '../channels/create-channel.ts';
import { findCommunity } from '../communities/find-community.ts';
import { changeRole } from '../roles/change-role.ts';
import { createRole } from '../roles/create-role.ts';
import { deleteRole } from '../roles/delete-role.ts';
import { listRoles } from '../roles/list-roles.ts';
import { removeRoles } from '../roles/remove-role.ts';
import { orderRoles } from '../roles/order-roles.ts';
import { changeMember } from './change-member.ts';
import { findOwnCommunity } from './describe-own-community.ts';
import { findMember, listMembers } from './list-members.ts';
import { joinCommunity } from './join-community.ts';
import { leaveCommunity } from './leave-community.ts';
import { insertMembers } from '../structure/new-members-store.ts';

const ROLE: NewRole = {
  name: 'gardener',
  hoisted: false,
  mentionable: false,
  self_assignable: false,
  permissions: [],
};

onEachDatabase((open) => {
  describe('members', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let eve: Account;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
      eve = await own.person('eve');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    const garden = () => own.garden(ada, { visibility: 'public' });
    const role = (id: Id, actor: Account, input: Partial<NewRole> = {}) =>
      createRole(own.ctx, actor, { community_id: id, ...ROLE, ...input });
    const give = (id: Id, actor: Account, to: Account, ids: readonly Id[]) =>
      changeMember(own.ctx, actor, { community_id: id, user_id: to.user_id, role_ids: [...ids] });

    test('[CO5] who joins a community is counted once, however often they ask at the same time, until they leave', async () => {
      const { id } = await garden();
      const joined = await Promise.all(
        [bob, bob, eve, bob].map((person) => joinCommunity(own.ctx, person, { community_id: id })),
      );
      expect(joined.map(({ permissions }) => permissions.includes('SEND_MESSAGES'))).toEqual(
        Array(4).fill(true),
      );
      expect((await findCommunity(own.ctx, bob, { id })).member_count).toBe(3);
      const left = [bob, bob].map((person) =>
        leaveCommunity(own.ctx, person, { community_id: id }),
      );
      const outcomes = (await Promise.allSettled(left)).map(({ status }) => status);
      expect(outcomes.toSorted()).toEqual(['fulfilled', 'rejected']);
      expect((await findCommunity(own.ctx, bob, { id })).member_count).toBe(2);
      expect(await reasonOf(leaveCommunity(own.ctx, ada, { community_id: id }))).toBe(
        'wrong_state',
      );
    });

    test('[CO11] a member is shown the permissions in a channel only if they differ there', async () => {
      const { id } = await garden();
      await joinCommunity(own.ctx, bob, { community_id: id });
      const [mine, other] = [await role(id, ada), await role(id, ada)];
      await give(id, ada, bob, [mine.id]);
      const kind = 'messages' as const;
      for (const subject of [other.id, mine.id]) {
        await createChannel(own.ctx, ada, {
          ...{ community_id: id, name: 'shed', kind },
          overwrites: [{ id: subject, kind: 'role', allow: [], deny: ['SEND_MESSAGES'] }],
        });
      }
      const { channels } = await findOwnCommunity(own.database.reader, own.ctx, { actor: bob, id });
      const shown = channels.map(({ permissions }) => permissions?.includes('SEND_MESSAGES'));
      expect(shown.slice(-2)).toEqual([undefined, false]);
    });

    test('[CO6] members act on roles and members below their highest role, and give what they have', async () => {
      const { id } = await garden();
      for (const person of [bob, eve]) await joinCommunity(own.ctx, person, { community_id: id });
      const low = await role(id, ada, { name: 'low' });
      const mod = await role(id, ada, { permissions: ['MANAGE_ROLES', 'TIMEOUT'] });
      await orderRoles(own.ctx, ada, { community_id: id, ids: [low.id, mod.id] });
      await give(id, ada, bob, [mod.id]);

      const kick = { community_id: id, role_id: low.id, permissions: ['KICK' as const] };
      expect(await reasonOf(changeRole(own.ctx, bob, kick))).toBe('KICK');
      expect(await reasonOf(role(id, bob, { permissions: ['BAN'] }))).toBe('BAN');
      const own1 = { community_id: id, role_id: mod.id };
      expect(await reasonOf(changeRole(own.ctx, bob, { ...own1, name: 'x' }))).toBe('rank_too_low');
      expect(await reasonOf(deleteRole(own.ctx, bob, own1))).toBe('rank_too_low');
      expect(await reasonOf(give(id, bob, eve, [mod.id]))).toBe('rank_too_low');
      expect(await reasonOf(give(id, bob, ada, [low.id]))).toBe('rank_too_low');
      expect(await reasonOf(give(id, eve, bob, []))).toBe('MANAGE_ROLES');
      expect((await give(id, bob, eve, [low.id])).role_ids).toEqual([low.id]);
      const swapped = { community_id: id, ids: [mod.id, low.id] };
      expect(await reasonOf(orderRoles(own.ctx, bob, swapped))).toBe('ids');

      await deleteRole(own.ctx, bob, { community_id: id, role_id: low.id });
      const roles = await listRoles(own.ctx, eve, { community_id: id });
      expect(roles.map(({ name, position }) => [name, position])).toEqual([
        ['everyone', 0],
        ['gardener', 1],
      ]);
    });

    test('[CO6] a role that very many have is taken from them in the background, and is at once nobody’s', async () => {
      const { id } = await garden();
      for (const person of [bob, eve]) await joinCommunity(own.ctx, person, { community_id: id });
      const [big, other] = [await role(id, ada), await role(id, ada, { name: 'other' })];
      await give(id, ada, bob, [big.id, other.id]);
      const many = Array.from({ length: 2_000 }, (_, at) => ({
        community_id: id,
        user_id: storedId(String(10_000 + at)),
        role_id: big.id,
      }));
      await own.database.transaction(({ sql }) =>
        sql.insertInto('member_roles').values(many).execute(),
      );
      await deleteRole(own.ctx, ada, { community_id: id, role_id: big.id });
      const left = async () => {
        const { reader } = own.database;
        const named = reader.selectFrom('member_roles').select('user_id');
        const rows = await named.where('role_id', '=', big.id).execute();
        const roles = reader.selectFrom('roles').select('id').where('id', '=', big.id);
        return [rows.length, (await roles.execute()).length];
      };
      expect(await left()).toEqual([1_001, 1]);
      const roles = await listRoles(own.ctx, eve, { community_id: id });
      expect(roles.map(({ name }) => name)).toEqual(['everyone', 'other']);
      const place = { community_id: id, user_id: bob.user_id };
      expect((await findMember(own.ctx, eve, place)).role_ids).toEqual([other.id]);
      const listed = await listMembers(own.ctx, eve, { community_id: id, limit: 10 });
      expect(listed.entries.flatMap(({ role_ids }) => role_ids)).toEqual([other.id]);
      expect(await reasonOf(give(id, ada, eve, [big.id]))).toBe('role_ids');
      expect((await give(id, ada, bob, [])).role_ids).toEqual([]);
      const job = await own.database.reader
        .selectFrom('jobs')
        .select('payload')
        .where('kind', '=', 'remove-role')
        .executeTakeFirstOrThrow();
      const kind = removeRoles(own.ctx);
      const signal = new AbortController().signal;
      for (let times = 0; times < 2; times += 1) {
        await kind.run(kind.parse(JSON.parse(job.payload)), { id: 'a', number: 1, signal });
        expect(await left()).toEqual([0, 0]);
      }
    });

    test('[CO7] a member who is timed out may only read, and administrators cannot be', async () => {
      const { id } = await garden();
      for (const person of [bob, eve]) await joinCommunity(own.ctx, person, { community_id: id });
      const admin = await role(id, ada, { permissions: ['ADMINISTRATOR'] });
      await give(id, ada, eve, [admin.id]);
      const timed_out_until = own.clock.unixMs() + 60_000;
      const timeOut = (actor: Account, target: Account) =>
        changeMember(own.ctx, actor, {
          community_id: id,
          user_id: target.user_id,
          timed_out_until,
        });
      expect(await timeOut(eve, bob)).toMatchObject({ timed_out_until });
      expect(await reasonOf(timeOut(ada, eve))).toBe('rank_too_low');
      expect(await reasonOf(timeOut(eve, ada))).toBe('rank_too_low');
      const rename = () =>
        changeMember(own.ctx, bob, { community_id: id, user_id: bob.user_id, nickname: 'Bobby' });
      expect(await reasonOf(rename())).toBe('timed_out');
      own.clock.advance(60_000);
      expect(await rename()).toMatchObject({ nickname: 'Bobby' });
    });

    test('[CO8] members take self-assignable roles, but not off if they deny something', async () => {
      const { id } = await garden();
      await joinCommunity(own.ctx, bob, { community_id: id });
      const free = await role(id, ada, { name: 'free', self_assignable: true });
      const muted = await role(id, ada, { name: 'muted', self_assignable: true });
      await createChannel(own.ctx, ada, {
        community_id: id,
        kind: 'messages',
        name: 'talk',
        overwrites: [{ id: muted.id, kind: 'role', allow: [], deny: ['SEND_MESSAGES'] }],
      });
      expect((await give(id, bob, bob, [free.id, muted.id])).role_ids).toHaveLength(2);
      expect((await give(id, bob, bob, [muted.id])).role_ids).toEqual([muted.id]);
      expect(await reasonOf(give(id, bob, bob, []))).toBe('role_denies');
    });

    test('[CO9] nobody is a member of more than 100 communities, even if they join two at once', async () => {
      const many = await own.person('many');
      const [first, second] = [await garden(), await garden()];
      const ids = await Promise.all(Array.from({ length: 99 }, () => own.ctx.ids.next()));
      await own.ctx.database.transaction(async (tx) => {
        const { sql } = tx;
        const row = await sql
          .selectFrom('communities')
          .selectAll()
          .where('id', '=', first.id)
          .executeTakeFirstOrThrow();
        await sql
          .insertInto('communities')
          .values(ids.map((id) => ({ ...row, id })))
          .execute();
        const members = ids.map((communityId) => ({ communityId, userId: many.user_id }));
        await insertMembers(tx, members, 1);
      });
      const joined = await Promise.all(
        [first, second].map(({ id }) =>
          reasonOf(joinCommunity(own.ctx, many, { community_id: id })),
        ),
      );
      expect(joined.toSorted()).toEqual(['too_many', undefined]);
    });
  });
});
