import {
  ConflictError,
  ForbiddenError,
  ValidationError,
  type Id,
  type NewCommunityInvite,
  type Permission,
  type Registration,
  type RegistrationMode,
} from '@hearth/protocol';
import { signedIn } from '@hearth/testing/accounts';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { withRegistration } from '@hearth/testing/instances/with-registration';
import { holdingDatabase } from '@hearth/testing/ports/holding-database';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TABLES } from '../../../schema.ts';
import { ANYONE, OWNER, type Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { leaveCommunity } from '../members/leave-community.ts';
import { selectMember } from '../structure/member-store.ts';
import { approveUser, disableUser, enableUser } from '../../accounts/manage-users/change-state.ts';
import { deleteUser } from '../../accounts/manage-users/delete-user.ts';
import { listUsers } from '../../accounts/manage-users/list-users.ts';
import { makeStaff } from '../../accounts/manage-users/make-staff.ts';
import { eraseRows } from '../../accounts/erasure/erase-account.ts';
import { Proofs } from '../../accounts/proofs/proofs.ts';
import { blockRegistration, unblockRegistration } from '../../accounts/registration/blocks.ts';
import { createInvite } from '../../accounts/registration/invites.ts';
import { createRole } from '../roles/create-role.ts';
import { changeRole } from '../roles/change-role.ts';
import { changeMember } from '../members/change-member.ts';
import { exportAccountData } from '../../accounts/own-account/export-account-data.ts';
import { ALL_PERMISSIONS, NO_PERMISSIONS } from '../../accounts/users/staff-permissions.ts';
import { Passwords } from '../../accounts/users/passwords.ts';
import { register } from '../../accounts/registration/register.ts';
import { createCommunityInvite } from './create-community-invite.ts';
import { findInvite } from './find-invite.ts';
import { revokeCommunityInvite } from './revoke-community-invite.ts';
import { sweepCommunityInvites } from './sweep-community-invites.ts';
import { useInvite } from './use-invite.ts';

const GUEST = { kind: 'guest', address: '192.0.2.77' } as const;
const DAY_MS = 86_400_000;
const anAttempt = { id: 'a', number: 1, signal: new AbortController().signal };

onEachDatabase((open) => {
  describe('registering with an invite to a community', () => {
    let own: CommunityTest;
    let ctx: InstanceContext;
    let ada: Account;
    let bob: Account;
    let people = 0;
    const resources = new AsyncDisposableStack();

    beforeAll(async () => {
      own = resources.use(await communityTest(open));
      const passwords = new Passwords({ cost: { memoryKiB: 64, passes: 1 } });
      const proofs = new Proofs({ ...own.ctx, when: 'off' });
      ctx = withRegistration({ ...own.ctx, passwords, proofs }, 'invite');
      ada = await own.person('ada');
      bob = await own.person('bob');
      own.clock.advance(DAY_MS);
    });
    afterAll(() => resources.disposeAsync());

    const inMode = (registration: RegistrationMode) => withRegistration(ctx, registration);
    /** Opens the instance as another of its processes does. */
    const elsewhere = async () => {
      const { passwords, proofs, settings } = ctx;
      return { ...resources.use(await own.another()), passwords, proofs, settings };
    };
    const somebody = (invite: string): Registration => {
      people += 1;
      const username = `guest-${people}`;
      const password = 'correct horse battery';
      return { username, email: `${username}@example.org`, password, invite };
    };
    const enrol = (code: string, by = ctx) => register(by, GUEST, somebody(code));
    const invite = async (id: Id, by: Account = ada, input: NewCommunityInvite = {}) =>
      (await createCommunityInvite(own.ctx, by, { community_id: id, ...input })).code;
    /** A private community of Ada in which Bob is a member. */
    const garden = async () => {
      const made = await own.garden(ada);
      await useInvite(own.ctx, bob, { code: await invite(made.id, ada, { max_uses: 1 }) });
      return made;
    };
    const rowOf = (code: string) =>
      own.database.reader
        .selectFrom('community_invites')
        .select(['uses', 'registrations'])
        .where('code', '=', code)
        .executeTakeFirstOrThrow()
        .then((row) => [Number(row.uses), Number(row.registrations)]);
    const setInvite = (code: string, values: { created_at_ms?: number; registrations?: number }) =>
      own.database.transaction(({ sql }) =>
        sql.updateTable('community_invites').set(values).where('code', '=', code).execute(),
      );
    /** Returns true if somebody can register with a code. The link and the instance have to agree. */
    const registers = async (code: string, by = ctx) => {
      const said = (await findInvite(by, ANYONE, { code })).registers;
      const before = await rowOf(code);
      const failure = await failureOf(enrol(code, by));
      if (failure !== undefined) {
        expect(failure).toBeInstanceOf(ValidationError);
        expect(failure).toMatchObject({ data: { field_name: 'invite' } });
        expect(await rowOf(code)).toEqual(before);
      }
      expect(said).toBe(failure === undefined);
      return said;
    };

    test('[IV8][IV8a] the code of an invite registers an account that is a member at once, and says where they go', async () => {
      const { id, slug, channels } = await garden();
      const [general] = channels;
      const code = await invite(id, bob, { channel_id: general?.id, max_uses: 1 });
      await own.emitted();
      const answer = signedIn(await enrol(code));
      expect<unknown>(answer).toEqual({
        user: expect.objectContaining({ username: `guest-${people}` }),
        token: expect.any(String),
        session: expect.any(Object),
        joined: { community_id: id, slug, channel_id: general?.id },
      });
      const stream = `u:${answer.user.id}`;
      expect(await own.emitted()).toMatchObject([
        { stream, event: { op: 'COMMUNITY_CREATE', d: { id, member_count: 3 } } },
      ]);
      expect(await selectMember(own.database.reader, id, answer.user.id)).toBeDefined();
      expect(await rowOf(code)).toEqual([1, 1]);
      expect(await failureOf(enrol(code))).toMatchObject({ data: { field_name: 'invite' } });
      const plain = signedIn(await enrol(await invite(id), inMode('open')));
      expect(plain).toMatchObject({ joined: { community_id: id, slug } });
      expect(plain).not.toHaveProperty('joined.channel_id');
    });

    test('[SC46] people who register with an invite wait for its community without a connection, and are answered busy if too many do', async () => {
      const { id } = await garden();
      const code = await invite(id);
      const held = holdingDatabase(own.ctx.database, { queueCalls: 1 });
      const by = { ...ctx, database: held.database };
      const first = enrol(code, by);
      await held.hasBegun;
      const second = enrol(code, by);
      await held.queued(2);
      const third = await failureOf(enrol(code, by));
      expect(third).toMatchObject({ status: 429, data: { code: 'busy' } });
      expect(held.begun()).toBe(1);
      held.letGo();
      for (const answer of await Promise.all([first, second])) {
        expect(signedIn(answer)).toMatchObject({ joined: { community_id: id } });
      }
      expect(held.begun()).toBe(2);
      expect(await rowOf(code)).toEqual([2, 2]);
    });

    test('[SC46] the approval of somebody who registered with an invite waits for its community without a connection', async () => {
      const { id } = await garden();
      const code = await invite(id);
      const { user } = await enrol(code, inMode('approval'));
      const held = holdingDatabase(own.ctx.database);
      const by = { ...ctx, database: held.database };
      const joining = enrol(code, by);
      await held.hasBegun;
      const approving = approveUser(by, OWNER, user.id);
      await held.queued(2);
      expect(held.begun()).toBe(1);
      held.letGo();
      await Promise.all([joining, approving]);
      expect(await selectMember(own.database.reader, id, user.id)).toBeDefined();
    });

    test('[IV8][IV8a] a registration that fails uses nothing and leaves nobody in the community', async () => {
      const { id } = await garden();
      const code = await invite(id, bob, { max_uses: 1 });
      const taken = { ...somebody(code), username: 'ada' };
      expect(await failureOf(register(ctx, GUEST, taken))).toBeInstanceOf(ConflictError);
      const what = { kind: 'domain', value: 'example.org' } as const;
      await blockRegistration(ctx, OWNER, { what, term: {} });
      expect(await failureOf(enrol(code))).toMatchObject({ data: { field_name: 'email' } });
      await unblockRegistration(ctx, OWNER, 'example.org');
      const proofs = new Proofs({ ...own.ctx, when: 'on' });
      const failure = await failureOf(enrol(code, { ...ctx, proofs }));
      expect(failure).toMatchObject({ data: { field_name: 'proof' } });
      expect(await rowOf(code)).toEqual([0, 0]);
      expect(signedIn(await enrol(code)).joined?.community_id).toBe(id);
      expect((await findInvite(ctx, ANYONE, { code: await invite(id) })).community).toMatchObject({
        member_count: 3,
      });
    });

    test('[IV8] nobody registers with it if registration is closed, or if the instance takes no such codes', async () => {
      const { id } = await garden();
      const code = await invite(id);
      expect((await findInvite(inMode('closed'), ANYONE, { code })).registers).toBe(false);
      const closed = await failureOf(enrol(code, inMode('closed')));
      expect(closed).toBeInstanceOf(ForbiddenError);
      expect(closed).toMatchObject({ data: { code: 'registration_closed' } });
      const settings = { ...ctx.settings, communityInvitesRegister: false };
      expect(await registers(code, { ...ctx, settings })).toBe(false);
      expect(await registers(code)).toBe(true);
    });

    test('[IV8][IV8a] if many register with the last use at once, in two processes, one succeeds', async () => {
      const { id } = await garden();
      const code = await invite(id, ada, { max_uses: 1 });
      const other = await elsewhere();
      const racing = Array.from({ length: 6 }, (_, at) => enrol(code, at % 2 === 0 ? ctx : other));
      const settled = await Promise.allSettled(racing);
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const each of settled) {
        if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(ValidationError);
      }
      expect(await rowOf(code)).toEqual([1, 1]);
    });

    test('[IV2][IV8] the new account has the roles of the invite that its maker may give', async () => {
      const { id } = await garden();
      const input = { name: 'role', hoisted: false, mentionable: false, self_assignable: false };
      const role = await createRole(own.ctx, ada, { ...input, community_id: id, permissions: [] });
      const code = await invite(id, ada, { role_ids: [role.id] });
      const { user } = signedIn(await enrol(code));
      const member = await selectMember(own.database.reader, id, user.id);
      expect(member?.roleIds).toEqual([role.id]);
    });

    test('[IV9][IV9b] an invite registers accounts while its maker is a member who may invite, and can use their account', async () => {
      const { id } = await garden();
      const code = await invite(id, bob);
      expect(await registers(code)).toBe(true);
      await changeRole(own.ctx, ada, { community_id: id, role_id: id, permissions: ['VIEW'] });
      expect(await registers(code)).toBe(false);
      const permissions: Permission[] = ['VIEW', 'CREATE_INVITES'];
      await changeRole(own.ctx, ada, { community_id: id, role_id: id, permissions });
      const timed_out_until = own.clock.unixMs() + 60_000;
      const timeOut = { community_id: id, user_id: bob.user_id };
      await changeMember(own.ctx, ada, { ...timeOut, timed_out_until });
      expect(await registers(code)).toBe(false);
      await changeMember(own.ctx, ada, { ...timeOut, timed_out_until: null });
      await disableUser(ctx, OWNER, 'bob');
      expect(await registers(code)).toBe(false);
      await enableUser(ctx, OWNER, 'bob');
      expect(await registers(code)).toBe(true);
      await leaveCommunity(own.ctx, bob, { community_id: id });
      expect(await registers(code)).toBe(false);
    });

    test('[IV9] the maker of an invite waits for 24 hours with a new account, unless they are staff or own the community', async () => {
      const { id } = await garden();
      const eve = await own.person(`eve-${people}`);
      await useInvite(own.ctx, eve, { code: await invite(id) });
      const code = await invite(id, eve);
      expect(await registers(code)).toBe(false);
      const permissions = ALL_PERMISSIONS;
      await makeStaff(ctx, OWNER, { user: eve.user_id, permissions });
      expect(await registers(code)).toBe(true);
      await makeStaff(ctx, OWNER, { user: eve.user_id, permissions: NO_PERMISSIONS });
      const own2 = await own.garden(eve);
      expect(await registers(await invite(own2.id, eve))).toBe(true);
      own.clock.advance(DAY_MS - 1);
      expect(await registers(code)).toBe(false);
      own.clock.advance(1);
      expect(await registers(code)).toBe(true);
    });

    test('[IV9][IV9a] an invite registers accounts for 7 days or 25 registrations, and longer if its maker manages invites', async () => {
      const { id } = await garden();
      const [old, full] = [await invite(id, bob), await invite(id, bob)];
      const made = own.clock.unixMs();
      await setInvite(old, { created_at_ms: made - 7 * DAY_MS + 1 });
      await setInvite(full, { registrations: 24 });
      expect([await registers(old), await registers(full)]).toEqual([true, true]);
      own.clock.advance(1);
      expect([await registers(old), await registers(full)]).toEqual([false, false]);
      // They still let people with an account in.
      const cyd = await own.person(`cyd-${people}`);
      expect((await useInvite(own.ctx, cyd, { code: full })).id).toBe(id);
      const permissions: Permission[] = ['VIEW', 'CREATE_INVITES', 'MANAGE_INVITES'];
      await changeRole(own.ctx, ada, { community_id: id, role_id: id, permissions });
      expect([await registers(old), await registers(full)]).toEqual([true, true]);
    });

    test('[IV9] if two register with the 25th use at once, in two processes, one succeeds', async () => {
      const { id } = await garden();
      const code = await invite(id, bob);
      await setInvite(code, { registrations: 24 });
      const settled = await Promise.allSettled([enrol(code), enrol(code, await elsewhere())]);
      expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(await rowOf(code)).toEqual([1, 25]);
    });

    test('[IV10] the invites of one person register 50 accounts within a day, however many communities and processes', async () => {
      const zoe = await own.person(`zoe-${people}`);
      const [one, two] = [await own.garden(zoe), await own.garden(zoe)];
      const [first, second] = [await invite(one.id, zoe), await invite(two.id, zoe)];
      const { user } = signedIn(await enrol(first));
      const times = Array.from({ length: 48 }, () => own.clock.unixMs() + 1_000);
      await own.database.transaction(({ sql }) =>
        sql
          .updateTable('invite_makers')
          .set({ registered_at: JSON.stringify([own.clock.unixMs(), ...times]) })
          .where('user_id', '=', zoe.user_id)
          .execute(),
      );
      // An account that is gone counts all the same.
      await deleteUser(ctx, OWNER, { user: user.id, content: 'keep' });
      const settled = await Promise.allSettled([enrol(first), enrol(second, await elsewhere())]);
      expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect([await registers(first), await registers(second)]).toEqual([false, false]);
      own.clock.advance(DAY_MS);
      expect(await registers(first)).toBe(true);
      expect(await registers(second)).toBe(true);
      own.clock.advance(2 * DAY_MS);
      await sweepCommunityInvites(own.ctx).run(undefined, anAttempt);
      const rows = await own.database.reader
        .selectFrom('invite_makers')
        .select('user_id')
        .where('user_id', '=', zoe.user_id)
        .execute();
      expect(rows).toEqual([]);
    });

    describe('if the staff approves accounts', () => {
      const waiting = async (code: string) => {
        const answer = await enrol(code, inMode('approval'));
        expect(answer).toMatchObject({ pending: true });
        expect(answer).not.toHaveProperty('joined');
        return answer.user;
      };
      const approve = async (id: Id) => {
        await approveUser(ctx, OWNER, id);
        const left = await own.database.reader
          .selectFrom('waiting_invites')
          .select('user_id')
          .where('user_id', '=', id)
          .execute();
        expect(left).toEqual([]);
      };

      test('[IV11] an account waits with its use, and joins with its roles when it is approved', async () => {
        const { id } = await garden();
        const input = { name: 'role', hoisted: false, mentionable: false, self_assignable: false };
        const role = await createRole(own.ctx, ada, {
          ...input,
          community_id: id,
          permissions: [],
        });
        const code = await invite(id, ada, { role_ids: [role.id], max_uses: 1 });
        const { id: userId } = await waiting(code);
        expect(await rowOf(code)).toEqual([1, 1]);
        expect(await selectMember(own.database.reader, id, userId)).toBeUndefined();
        // Who registers with an invite that ends meanwhile was in time, even if nobody remembers the invite.
        own.clock.advance(2 * DAY_MS);
        await sweepCommunityInvites(own.ctx).run(undefined, anAttempt);
        expect(await failureOf(rowOf(code))).toBeDefined();
        await own.emitted();
        await approve(userId);
        expect((await own.emitted()).map(({ event }) => event?.op)).toContain('COMMUNITY_CREATE');
        const member = await selectMember(own.database.reader, id, userId);
        expect(member?.roleIds).toEqual([role.id]);
        // An invite to register needs no approval.
        const { code: admits } = await createInvite(ctx, OWNER, {
          mostUses: 1,
          expiresAtMs: undefined,
          note: '',
        });
        expect(signedIn(await enrol(admits, inMode('approval')))).not.toHaveProperty('joined');
      });

      test('[IV11] an account is approved without joining if the invite was revoked, the community deleted or the person banned', async () => {
        const { id } = await garden();
        const [revoked, code] = [await invite(id), await invite(id)];
        const first = await waiting(revoked);
        await revokeCommunityInvite(own.ctx, ada, { community_id: id, code: revoked });
        await approve(first.id);
        const banned = await waiting(code);
        await own.database.transaction(({ sql }) =>
          sql
            .insertInto('community_bans')
            .values({
              community_id: id,
              user_id: banned.id,
              reason: '',
              created_by: ada.user_id,
              created_at_ms: 1,
              expires_at_ms: 0,
            })
            .execute(),
        );
        await approve(banned.id);
        const late = await waiting(code);
        await own.database.transaction(({ sql }) =>
          sql.updateTable('communities').set({ deleted_at_ms: 1 }).where('id', '=', id).execute(),
        );
        await approve(late.id);
        for (const { id: userId } of [first, banned, late]) {
          expect(await selectMember(own.database.reader, id, userId)).toBeUndefined();
        }
      });

      test('[IV11][IV11a] a person who is refused gives the use back, but counts among the registrations', async () => {
        const { id } = await garden();
        const code = await invite(id, ada, { max_uses: 1 });
        const refused = await waiting(code);
        await deleteUser(ctx, OWNER, { user: refused.id, content: 'keep' });
        expect(await rowOf(code)).toEqual([0, 1]);
        const { id: userId } = await waiting(code);
        await approve(userId);
        expect(await selectMember(own.database.reader, id, userId)).toBeDefined();
        expect(await rowOf(code)).toEqual([1, 2]);
      });
    });

    test('[IV12] an account keeps who invited it, until one of the two is deleted', async () => {
      const { id } = await garden();
      const zoe = await own.person(`zed-${people}`);
      await useInvite(own.ctx, zoe, { code: await invite(id) });
      own.clock.advance(DAY_MS);
      const code = await invite(id, zoe);
      const { user } = signedIn(await enrol(code));
      const invited = async () => {
        const filter = { state: undefined, isStaff: false, limit: 10, invitedBy: zoe.user_id };
        return (await listUsers(ctx, OWNER, filter)).map(({ username }) => username);
      };
      expect(await invited()).toEqual([user.username]);
      const exporting = ctx;
      const [account] = await exportAccountData(exporting, user.id);
      const text = await account?.read();
      expect(text).toContain(`"invited_by": "${zoe.user_id}"`);
      const { signal } = anAttempt;
      await eraseRows(own.database, TABLES, { personId: zoe.user_id, signal });
      expect(await invited()).toEqual([]);
    });
  });
});
