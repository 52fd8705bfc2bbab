import {
  NotFoundError,
  type CommunityInvite,
  type Id,
  type NewCommunityInvite,
  type Permission,
} from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { settleAll } from '@hearth/testing/so-many-at-once';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ANYONE, OWNER, type Account } from '../../../actor.ts';
import { createInvite } from '../../accounts/registration/registration.ts';
import { listAuditLog } from '../audit-log/list-audit-log.ts';
import { createChannel } from '../channels/create-channel.ts';
import { findCommunity } from '../communities/find-community.ts';
import { changeMember } from '../members/change-member.ts';
import { removeMember } from '../members/leave-community.ts';
import { changeRole } from '../roles/change-role.ts';
import { createRole } from '../roles/create-role.ts';
import { deleteRole } from '../roles/delete-role.ts';
import { createCommunityInvite } from './create-community-invite.ts';
import { findInvite } from './find-invite.ts';
import { listCommunityInvites } from './list-community-invites.ts';
import { revokeCommunityInvite } from './revoke-community-invite.ts';
import { sweepCommunityInvites } from './sweep-community-invites.ts';
import { useInvite } from './use-invite.ts';

const hidden = new NotFoundError();
const anAttempt = { id: 'a', number: 1, signal: new AbortController().signal };

onEachDatabase((open) => {
  describe('invites to communities', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let cyd: Account;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
      cyd = await own.person('cyd');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    const invite = (id: Id, actor: Account, input: NewCommunityInvite = {}) =>
      createCommunityInvite(own.ctx, actor, { community_id: id, ...input });
    const enter = (actor: Account, { code }: Pick<CommunityInvite, 'code'>) =>
      useInvite(own.ctx, actor, { code });
    const codes = async (id: Id, actor: Account) =>
      (await listCommunityInvites(own.ctx, actor, { community_id: id })).map(({ code }) => code);
    const revoke = (id: Id, actor: Account, { code }: Pick<CommunityInvite, 'code'>) =>
      revokeCommunityInvite(own.ctx, actor, { community_id: id, code });
    const role = (id: Id, permissions: Permission[] = []) =>
      createRole(own.ctx, ada, {
        community_id: id,
        name: 'role',
        hoisted: false,
        mentionable: false,
        self_assignable: false,
        permissions,
      });
    const give = (id: Id, { user_id }: Account, role_ids: Id[]) =>
      changeMember(own.ctx, ada, { community_id: id, user_id, role_ids });
    /** A private community of Ada in which Bob is a member. */
    const garden = async (): Promise<Id> => {
      const { id } = await own.garden(ada);
      await enter(bob, await invite(id, ada, { max_uses: 1 }));
      return id;
    };

    test('[IV1] members with CREATE_INVITES make invites, and see and revoke their own; MANAGE_INVITES is for all', async () => {
      const id = await garden();
      const made = await invite(id, bob, { max_uses: 2, expires_at: own.clock.unixMs() + 5_000 });
      expect<unknown>(made).toEqual({
        code: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{12}$/),
        community_id: id,
        created_by: { id: bob.user_id, username: 'bob' },
        created_at: own.clock.unixMs(),
        uses: 0,
        max_uses: 2,
        expires_at: own.clock.unixMs() + 5_000,
      });
      own.clock.advance(1);
      const other = await invite(id, ada);
      expect(await codes(id, bob)).toEqual([made.code]);
      expect(await codes(id, ada)).toEqual([other.code, made.code]);
      const lacking = (permission: Permission) => ({ data: { permission } });
      expect(await failureOf(revoke(id, bob, other))).toMatchObject(lacking('MANAGE_INVITES'));
      const elsewhere = await own.garden(ada);
      expect(await failureOf(revoke(elsewhere.id, ada, made))).toEqual(hidden);
      await revoke(id, bob, made);
      expect(await failureOf(revoke(id, bob, made))).toEqual(hidden);
      await give(id, bob, [(await role(id, ['MANAGE_INVITES'])).id]);
      await revoke(id, bob, other);
      expect(await codes(id, ada)).toEqual([]);
      await changeRole(own.ctx, ada, { community_id: id, role_id: id, permissions: ['VIEW'] });
      expect(await failureOf(invite(id, bob))).toMatchObject(lacking('CREATE_INVITES'));
      for (const expires_at of [0, own.clock.unixMs() + 999]) {
        const failure = await failureOf(invite(id, ada, { expires_at }));
        expect(failure).toMatchObject({ data: { field_name: 'expires_at' } });
      }
      for (const asking of [
        () => invite(id, cyd),
        () => codes(id, cyd),
        () => revoke(id, cyd, made),
      ]) {
        expect(await failureOf(asking())).toEqual(hidden);
      }
      const shown = await own.garden(ada, { visibility: 'public' });
      expect(await failureOf(codes(shown.id, cyd))).toMatchObject({ data: { code: 'not_member' } });
    });

    test('[IV2] an invite gives roles that the person who made it may give, when it is made and when it is used', async () => {
      const id = await garden();
      const [low, strong, high] = [await role(id), await role(id, ['BAN']), await role(id)];
      // The newest role is the weakest: high, strong and low are from the bottom to the top.
      const guide = await role(id, ['MANAGE_ROLES']);
      const give1 = (ids: Id[]) => failureOf(invite(id, bob, { role_ids: ids }));
      expect(await give1([high.id])).toMatchObject({ data: { permission: 'MANAGE_ROLES' } });
      await give(id, bob, [guide.id, low.id]);
      expect(await give1([low.id])).toMatchObject({ data: { code: 'rank_too_low' } });
      expect(await give1([strong.id])).toMatchObject({ data: { permission: 'BAN' } });
      for (const wrong of [[id], ['1' as Id], [high.id, high.id]]) {
        expect(await give1(wrong)).toMatchObject({ data: { field_name: 'role_ids' } });
      }
      const gone = await role(id);
      const made = await invite(id, bob, { role_ids: [high.id, gone.id] });
      expect(made.role_ids).toEqual([high.id, gone.id]);
      await deleteRole(own.ctx, ada, { community_id: id, role_id: gone.id });
      expect((await enter(cyd, made)).membership.role_ids).toEqual([high.id]);
      const join = async (name: string) =>
        (await enter(await own.person(name), made)).membership.role_ids;
      await give(id, bob, [low.id]);
      expect(await join('dan')).toEqual([]);
      await give(id, bob, [guide.id, low.id]);
      const stronger = { community_id: id, role_id: high.id, permissions: ['KICK' as const] };
      await changeRole(own.ctx, ada, stronger);
      expect(await join('eve')).toEqual([]);
      await removeMember(own.ctx, ada, { community_id: id, user_id: bob.user_id });
      expect(await join('fay')).toEqual([]);
    });

    test('[IV3] an invite lets people in whatever the visibility and the way to join, and a member uses nothing', async () => {
      for (const [visibility, join] of [
        ['private', 'invite'],
        ['private', 'request'],
        ['public', 'invite'],
        ['unlisted', 'open'],
      ] as const) {
        const { id } = await own.garden(ada, { visibility, join });
        const made = await invite(id, ada, { max_uses: 1 });
        await own.emitted();
        expect(await enter(ada, made)).toMatchObject({ id, member_count: 1 });
        expect(await own.emitted()).toEqual([]);
        const joined = await enter(bob, made);
        expect(joined).toMatchObject({ id, member_count: 2 });
        expect(await own.emitted()).toMatchObject([
          { stream: `u:${bob.user_id}`, event: { op: 'COMMUNITY_CREATE', d: { id } } },
        ]);
        expect(await enter(bob, made)).toEqual(joined);
        expect(await failureOf(enter(cyd, made))).toEqual(hidden);
        expect((await findCommunity(own.ctx, bob, { id })).member_count).toBe(2);
      }
    });

    test('[IV4] an invite lets in as many as it says, however many come at the same time', async () => {
      const { id } = await own.garden(ada);
      const limited = await invite(id, ada, { max_uses: 3 });
      const people = await Promise.all(
        Array.from({ length: 5 }, (_, each) => own.person(`guest-${each}`)),
      );
      // Everybody twice, and five at once: each waits for the community, and none for longer than a busy machine allows.
      const outcomes = await settleAll({ count: 10, atOnce: 5 }, (index) =>
        enter(people[index % 5] ?? ada, limited),
      );
      const entered = outcomes.filter(({ status }) => status === 'fulfilled');
      expect(entered.length).toBeGreaterThanOrEqual(3);
      expect((await findCommunity(own.ctx, ada, { id })).member_count).toBe(4);
      expect(await codes(id, ada)).toEqual([]);
      const failures = outcomes.flatMap((each) =>
        each.status === 'rejected' ? [each.reason] : [],
      );
      expect(failures).toEqual(failures.map(() => hidden));
      const row = await own.database.reader
        .selectFrom('community_invites')
        .select('uses')
        .where('code', '=', limited.code)
        .executeTakeFirstOrThrow();
      expect(Number(row.uses)).toBe(3);
    });

    test('[IV5] somebody who has a code sees what it is for, even if visitors read nothing', async () => {
      const { id } = await own.garden(ada);
      const { code } = await invite(id, ada);
      const settings = { ...own.ctx.settings, lobby: 'accounts' as const };
      const found = await findInvite({ ...own.ctx, settings }, ANYONE, { code });
      expect(found).toMatchObject({ community: { id }, registers: true });
    });

    test('[IV5][IV5c] members are shown where visitors can read the community, those with pictures first', async () => {
      const { id } = await own.garden(ada, { visibility: 'public', join: 'open' });
      const picture = await own.ctx.ids.next();
      for (let at = 0; at < 9; at += 1) {
        const person = await own.person(`member-${at}`);
        const mine = at === 8 ? { avatar: picture } : {};
        await own.database.transaction(({ sql }) =>
          sql
            .updateTable('users')
            .set({ version: 1, ...mine })
            .where('id', '=', person.user_id)
            .execute(),
        );
        await enter(person, await invite(id, ada));
      }
      const made = await invite(id, ada);
      const { members = [] } = await findInvite(own.ctx, ANYONE, made);
      expect(members).toHaveLength(8);
      expect(members[0]).toMatchObject({ username: 'member-8', avatar: picture });
      const settings = { ...own.ctx.settings, lobby: 'accounts' as const };
      const closed = await findInvite({ ...own.ctx, settings }, cyd, made);
      expect(closed).not.toHaveProperty('members');
    });

    test('[IV5] an invite to register says so, and that of the owner too', async () => {
      const { ctx } = own;
      const request = { mostUses: 1, expiresAtMs: undefined, note: '' };
      const { code } = await createInvite(ctx, OWNER, request);
      expect(await findInvite(ctx, ANYONE, { code })).toEqual({
        code,
        kind: 'server',
        registers: true,
      });
      const closed = { ...ctx, settings: { ...ctx.settings, registration: 'closed' as const } };
      expect(await findInvite(closed, ANYONE, { code })).toMatchObject({ registers: false });
      await ctx.database.transaction(({ sql }) =>
        sql.updateTable('registration_invites').set({ purpose: 'owner' }).execute(),
      );
      expect(await findInvite(closed, ANYONE, { code })).toEqual({
        code,
        kind: 'owner',
        registers: true,
      });
      await ctx.database.transaction(({ sql }) =>
        sql.updateTable('registration_invites').set({ uses: 1 }).execute(),
      );
      expect(await failureOf(findInvite(ctx, ANYONE, { code }))).toEqual(hidden);
    });

    test('[IV5][IV5a][IV5b] everyone who has a code sees what the invite is for, and nothing if it cannot be used', async () => {
      const { id, channels } = await own.garden(ada, { description: 'Roses' });
      const [general] = channels;
      const secret = await createChannel(own.ctx, ada, {
        community_id: id,
        kind: 'messages',
        name: 'secret',
        overwrites: [{ id, kind: 'role', allow: [], deny: ['VIEW'] }],
      });
      await enter(bob, await invite(id, ada));
      expect(await failureOf(invite(id, bob, { channel_id: secret.id }))).toMatchObject({
        data: { field_name: 'channel_id' },
      });
      const expires_at = own.clock.unixMs() + 5_000;
      const made = await invite(id, ada, {
        expires_at,
        ...(general !== undefined && { channel_id: general.id }),
      });
      const quiet = await invite(id, ada, { channel_id: secret.id });
      expect(quiet.channel_id).toBe(secret.id);
      const seen = (actor: typeof ANYONE | Account, { code }: Pick<CommunityInvite, 'code'>) =>
        findInvite(own.ctx, actor, { code });
      for (const actor of [ANYONE, cyd, bob]) {
        expect<unknown>(await seen(actor, made)).toEqual({
          code: made.code,
          kind: 'community',
          created_by: { id: ada.user_id, username: 'ada' },
          community: {
            id,
            slug: expect.any(String),
            name: 'Garden',
            description: 'Roses',
            visibility: 'private',
            member_count: 2,
          },
          channel_id: general?.id,
          expires_at,
          registers: true,
        });
        expect(await seen(actor, quiet)).not.toHaveProperty('channel_id');
      }
      expect(await failureOf(seen(cyd, { code: '1'.repeat(12) }))).toEqual(hidden);
      own.clock.advance(5_000);
      for (const asking of [() => seen(cyd, made), () => enter(cyd, made)]) {
        expect(await failureOf(asking())).toEqual(hidden);
      }
      expect(await codes(id, ada)).not.toContain(made.code);
      const code = { code: made.code };
      const rows = () =>
        own.database.reader
          .selectFrom('community_invites')
          .selectAll()
          .where('code', '=', code.code)
          .execute();
      await sweepCommunityInvites(own.ctx).run(undefined, anAttempt);
      expect(await rows()).toHaveLength(1);
      own.clock.advance(86_400_000);
      await sweepCommunityInvites(own.ctx).run(undefined, anAttempt);
      expect(await rows()).toEqual([]);
      expect((await seen(cyd, quiet)).code).toBe(quiet.code);
    });

    test('[IV6] a community has at most 100 invites that can be used, even if two are made at once', async () => {
      const { id } = await own.garden(ada);
      const first = await invite(id, ada, { max_uses: 1 });
      await own.database.transaction(async ({ sql }) => {
        const row = await sql
          .selectFrom('community_invites')
          .selectAll()
          .where('code', '=', first.code)
          .executeTakeFirstOrThrow();
        const others = Array.from({ length: 98 }, (_, each) => `${id}-${each}`);
        await sql
          .insertInto('community_invites')
          .values(others.map((code) => ({ ...row, code })))
          .execute();
      });
      const made = await Promise.allSettled([invite(id, ada), invite(id, ada)]);
      expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(await failureOf(invite(id, ada))).toMatchObject({ data: { code: 'too_many' } });
      // One that was used up makes room.
      await enter(bob, first);
      expect((await invite(id, ada)).uses).toBe(0);
    });

    test('[IV6] invites that end soon do not add up', async () => {
      const { id } = await own.garden(ada);
      const first = await invite(id, ada);
      await own.database.transaction(async ({ sql }) => {
        const row = await sql
          .selectFrom('community_invites')
          .selectAll()
          .where('code', '=', first.code)
          .executeTakeFirstOrThrow();
        const past = Array.from({ length: 150 }, (_, at) => {
          return { ...row, code: `${id}-${at}`, created_at_ms: at, expires_at_ms: 1 };
        });
        await sql.insertInto('community_invites').values(past).execute();
      });
      await invite(id, ada);
      const rows = await own.database.reader
        .selectFrom('community_invites')
        .select('created_at_ms')
        .where('community_id', '=', id)
        .execute();
      const times = rows.map((row) => Number(row.created_at_ms)).filter((at) => at < 1_000);
      expect([rows.length, Math.min(...times)]).toEqual([102, 50]);
    });

    test('[IV7] the audit log shows the beginning of a code, and no more', async () => {
      const { id } = await own.garden(ada);
      const made = await invite(id, ada, { max_uses: 5 });
      await revoke(id, ada, made);
      const log = await listAuditLog(own.ctx, ada, { community_id: id, limit: 10 });
      const target = { kind: 'invite', id: `${made.code.slice(0, 4)}…` };
      expect(log).toMatchObject([
        { action: 'invite_delete', target },
        { action: 'invite_create', target, changes: [{ field: 'max_uses', after: 5 }] },
      ]);
      expect(JSON.stringify(log)).not.toContain(made.code);
    });
  });
});
