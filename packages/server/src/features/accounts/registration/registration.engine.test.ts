import { storedId } from '../../../ports/database/stored-id.ts';
import { ConflictError, ForbiddenError, NotFoundError, ValidationError } from '@hearth/protocol';
import type { Registration, RegistrationMode } from '@hearth/protocol';
import { signedIn } from '@hearth/testing/accounts';
import { fakeClock, type FakeClock } from '@hearth/testing/fake-clock';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { withRegistration } from '@hearth/testing/instances/with-registration';
import { countedIds } from '@hearth/testing/ports/id-source';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { OWNER } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { ownerOutbox } from '../../../ports/outbox/outbox.ts';
import { Proofs } from '../proofs/proofs.ts';
import { ALL_PERMISSIONS } from '../users/staff-permissions.ts';
import { Passwords } from '../users/passwords.ts';
import { register } from './register.ts';
import { deleteUser } from '../manage-users/delete-user.ts';
import {
  blockRegistration,
  parseBlockable,
  listRegistrationBlocks,
  unblockRegistration,
} from './blocks.ts';
import { createInvite, listInvites, ownerInvite, revokeInvite } from './invites.ts';
import { deleteRequest } from './store.ts';

const GUEST = { kind: 'guest', address: '192.0.2.77' } as const;
const HOUR_MS = 3_600_000;
const ONCE = { mostUses: 1, expiresAtMs: undefined, note: '' };

const person = (username: string): Registration => ({
  username,
  email: `${username}@example.org`,
  password: 'correct horse battery',
});

onEachDatabase((open) => {
  describe('registering', () => {
    let database: TestDatabase;
    let clock: FakeClock;
    let ctx: InstanceContext;
    let resources: AsyncDisposableStack;

    beforeEach(async () => {
      resources = new AsyncDisposableStack();
      database = resources.use(await open());
      const owner = resources.use(await openTestContext());
      clock = fakeClock(1_800_000_000_000);
      const passwords = new Passwords({ cost: { memoryKiB: 64, passes: 1 } });
      const own = { passwords, ids: countedIds(), clock, database: ownerOutbox(database) };
      const proofs = new Proofs({ ...own, when: 'off' });
      ctx = withRegistration({ ...owner, ...own, proofs }, 'invite');
    });
    afterEach(() => resources.disposeAsync());

    const inMode = (registration: RegistrationMode) => withRegistration(ctx, registration);
    const failure = (work: Promise<unknown>) =>
      work.then(
        () => 'none',
        (error: unknown) => error,
      );
    const refused = async (work: Promise<unknown>) => {
      const error = await failure(work);
      if (error instanceof ForbiddenError) return error.data?.['code'];
      return error instanceof ValidationError ? error.data?.['field_name'] : error;
    };
    /** Returns the context of another process of the instance. */
    const elsewhere = async (): Promise<InstanceContext> => {
      const again = resources.use(await database.openAgain());
      const ids = countedIds();
      for (let count = 0; count < 1_000; count += 1) await ids.next();
      return { ...ctx, ids, database: ownerOutbox(again) };
    };
    const usersNamed = (name: string) =>
      database.reader
        .selectFrom('users')
        .select('id')
        .where('username', 'like', `${name}%`)
        .execute();

    test('[AC50] nobody registers while it is closed, and everyone while it is open', async () => {
      expect(await refused(register(inMode('closed'), GUEST, person('ada')))).toBe(
        'registration_closed',
      );
      const { code } = await createInvite(ctx, OWNER, ONCE);
      const invited = { ...person('ada'), invite: code };
      expect(await refused(register(inMode('closed'), GUEST, invited))).toBe('registration_closed');
      expect(signedIn(await register(inMode('open'), GUEST, person('ada'))).user.username).toBe(
        'ada',
      );
      expect(await listInvites(ctx, OWNER)).toMatchObject([{ code, uses: 0 }]);
    });

    test('[AC51] an invite is needed, is used as often as it says, and ends when it expires or is revoked', async () => {
      expect(await refused(register(ctx, GUEST, person('ada')))).toBe('invite');
      const twice = { mostUses: 2, expiresAtMs: clock.unixMs() + HOUR_MS, note: 'for friends' };
      const invite = await createInvite(ctx, OWNER, twice);
      expect(invite.code).toMatch(/^[1-9A-HJ-NP-Za-km-z]{12}$/);
      const { code } = invite;
      signedIn(await register(ctx, GUEST, { ...person('ada'), invite: code }));
      expect(await listInvites(ctx, OWNER)).toEqual([
        {
          code,
          purpose: 'member',
          most_uses: 2,
          uses: 1,
          created_at: clock.unixMs(),
          expires_at: clock.unixMs() + HOUR_MS,
          note: 'for friends',
        },
      ]);
      // A registration that fails uses nothing.
      const taken = { ...person('grace'), username: 'ada', invite: code };
      expect(await failure(register(ctx, GUEST, taken))).toBeInstanceOf(ConflictError);
      signedIn(await register(ctx, GUEST, { ...person('grace'), invite: code }));
      const third = { ...person('hopper'), invite: code };
      expect(await refused(register(ctx, GUEST, third))).toBe('invite');
      expect(await refused(register(inMode('open'), GUEST, third))).toBe('invite');

      const late = await createInvite(ctx, OWNER, { ...twice, mostUses: undefined });
      clock.advance(HOUR_MS);
      expect(await refused(register(ctx, GUEST, { ...third, invite: late.code }))).toBe('invite');
      const revoked = await createInvite(ctx, OWNER, ONCE);
      await revokeInvite(ctx, OWNER, revoked.code);
      expect(await refused(register(ctx, GUEST, { ...third, invite: revoked.code }))).toBe(
        'invite',
      );
      expect(await usersNamed('hopper')).toEqual([]);
    });

    test('[AC51] the last use of an invite goes to exactly one of two processes', async () => {
      const { code } = await createInvite(ctx, OWNER, ONCE);
      const other = await elsewhere();
      const racing = Array.from({ length: 8 }, (_, at) =>
        register(at % 2 === 0 ? ctx : other, GUEST, { ...person(`racer${at}`), invite: code }),
      );
      const settled = await Promise.allSettled(racing);
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const each of settled) {
        if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(ValidationError);
      }
      expect(await usersNamed('racer')).toHaveLength(1);
      expect(await listInvites(ctx, OWNER)).toMatchObject([{ uses: 1 }]);
    });

    test('[AC6][AC51] a single one of two processes that register one name at the same time succeeds, and no invite is lost', async () => {
      const many = { ...ONCE, mostUses: 10 };
      const { code } = await createInvite(ctx, OWNER, many);
      const other = await elsewhere();
      const racing = Array.from({ length: 8 }, (_, at) =>
        register(at % 2 === 0 ? ctx : other, GUEST, {
          ...person('ada'),
          email: `ada${at}@example.org`,
          invite: code,
        }),
      );
      const settled = await Promise.allSettled(racing);
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const each of settled) {
        if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(ConflictError);
      }
      expect(await listInvites(ctx, OWNER)).toMatchObject([{ uses: 1 }]);
    });

    test('[AC51] there are 1,000 invites at most, and those that cannot be used any more make room', async () => {
      const nowMs = clock.unixMs();
      const before = { created_at_ms: nowMs - 1, expires_at_ms: 0, note: '' };
      const rows = Array.from({ length: 999 }, (_, at) => ({
        ...before,
        code: `invite ${at}`,
        purpose: 'member' as const,
        ...(at < 2 ? { most_uses: 1, uses: at } : { most_uses: 0, uses: 5 }),
      }));
      await database.transaction(({ sql }) =>
        sql.insertInto('registration_invites').values(rows).execute(),
      );
      const other = await elsewhere();
      const made = await Promise.all([
        createInvite(ctx, OWNER, ONCE),
        createInvite(other, OWNER, ONCE),
      ]);
      expect(made[0]?.code).not.toBe(made[1]?.code);
      const codes = new Set((await listInvites(ctx, OWNER)).map(({ code }) => code));
      // It was used up.
      expect([codes.size, codes.has('invite 0'), codes.has('invite 1')]).toEqual([
        1000,
        true,
        false,
      ]);
      const oneMore = [createInvite(ctx, OWNER, ONCE), createInvite(other, OWNER, ONCE)];
      for (const refused of await Promise.all(oneMore.map(failure))) {
        expect(refused).toBeInstanceOf(ConflictError);
        expect(refused).toMatchObject({
          data: { code: 'too_many', field_name: 'instance_invites' },
        });
      }
      await revokeInvite(ctx, OWNER, 'invite 0');
      const racing = [createInvite(ctx, OWNER, ONCE), createInvite(other, OWNER, ONCE)];
      const settled = await Promise.allSettled(racing);
      expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    });

    test('[AC52] the invite of the owner is the same at every start, makes all permissions in any mode, and works once', async () => {
      const [code = '', again] = [await ownerInvite(ctx), await ownerInvite(await elsewhere())];
      expect(code).toMatch(/^[1-9A-HJ-NP-Za-km-z]{12}$/);
      expect(again).toBe(code);
      expect(await listInvites(ctx, OWNER)).toEqual([]);
      // Somebody else comes first, who is not the owner, and goes.
      signedIn(await register(inMode('open'), GUEST, person('eve')));
      expect(await ownerInvite(ctx)).toBe(code);
      await deleteUser(ctx, OWNER, { user: 'eve', content: 'keep' });
      expect(await ownerInvite(ctx)).toBe(code);

      const other = await elsewhere();
      const racing = ['ada', 'grace'].map((name, at) =>
        register(withRegistration(at === 0 ? ctx : other, 'closed'), GUEST, {
          ...person(name),
          invite: code,
        }),
      );
      const settled = await Promise.allSettled(racing);
      const [made, ...others] = settled.filter((each) => each.status === 'fulfilled');
      expect(others).toEqual([]);
      expect(made?.value.user.staff_permissions).toHaveLength(6);
      const rows = await database.reader
        .selectFrom('users')
        .select('staff_permissions')
        .where('state', '!=', 'deleted')
        .execute();
      expect(rows.map((row) => row.staff_permissions)).toEqual([ALL_PERMISSIONS]);
      expect(await ownerInvite(ctx)).toBeUndefined();
      const late = { ...person('mallory'), invite: code };
      expect(await refused(register(ctx, GUEST, late))).toBe('invite');
    });

    test('[AC53] if the staff approves accounts, somebody without an invite waits and has no session', async () => {
      const asking = inMode('approval');
      const settings = { ...asking.settings, registrationQuestion: 'Why?' };
      expect(await refused(register({ ...asking, settings }, GUEST, person('ada')))).toBe('answer');
      const blank = { ...person('ada'), answer: '\u200b' };
      expect(await refused(register({ ...asking, settings }, GUEST, blank))).toBe('answer');
      const answer = await register({ ...asking, settings }, GUEST, {
        ...person('ada'),
        answer: 'I like it',
      });
      expect(answer).toMatchObject({ user: { username: 'ada' }, pending: true });
      expect(Object.keys(answer).toSorted()).toEqual(['pending', 'user']);
      const rows = await database.reader.selectFrom('users').select('state').execute();
      expect(rows).toEqual([{ state: 'pending' }]);
      expect(await database.reader.selectFrom('sessions').select('id').execute()).toEqual([]);
      const { code } = await createInvite(ctx, OWNER, ONCE);
      signedIn(await register(asking, GUEST, { ...person('grace'), invite: code }));
    });

    test('[AC53] 1,000 people may wait for approval; the next is refused until somebody is approved', async () => {
      const asking = inMode('approval');
      const { user } = await register(asking, GUEST, person('first'));
      await database.transaction(async ({ sql }) => {
        const row = await sql.selectFrom('users').selectAll().executeTakeFirstOrThrow();
        const others = Array.from({ length: 998 }, (_, at) => storedId(`${at + 1}`));
        const users = others.map((id) => ({ ...row, id, username: id, email_key: id }));
        await sql.insertInto('users').values(users).execute();
        const requests = others.map((id) => ({ user_id: id, answer: '' }));
        await sql.insertInto('registration_requests').values(requests).execute();
      });
      const other = withRegistration(await elsewhere(), 'approval');
      const racing = [
        register(asking, GUEST, person('ada')),
        register(other, GUEST, person('grace')),
      ];
      const settled = await Promise.allSettled(racing);
      expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(await refused(register(asking, GUEST, person('eve')))).toBe('registration_closed');
      const { code } = await createInvite(ctx, OWNER, ONCE);
      signedIn(await register(asking, GUEST, { ...person('eve'), invite: code }));
      await database.transaction((tx) => deleteRequest(tx.sql, user.id));
      await register(asking, GUEST, person('joan'));
    });

    test('[AC54] nobody registers with a blocked mail domain or one below it, or from a blocked address, in any process', async () => {
      const other = withRegistration(await elsewhere(), 'open');
      const processes = [inMode('open'), other];
      const block = async (text: string, term = {}) => {
        const what = parseBlockable(text);
        if (what === undefined) throw new Error(`${text} cannot be blocked`);
        return blockRegistration(ctx, OWNER, { what, term });
      };
      const registering = (by: InstanceContext, email: string) =>
        register(by, GUEST, { ...person('eve'), email });
      await block('@Example.NET.', { reason: 'throwaway addresses' });
      for (const by of processes) {
        for (const email of ['eve@example.net', 'eve@a.b.EXAMPLE.net']) {
          expect(await refused(registering(by, email))).toBe('email');
        }
      }
      clock.advance(1);
      await block('192.0.2.0/24', { until: clock.unixMs() + HOUR_MS });
      for (const by of processes) {
        expect(await refused(registering(by, 'eve@notexample.net'))).toBe('registration_blocked');
      }
      expect(await listRegistrationBlocks(other, OWNER)).toMatchObject([
        { kind: 'domain', value: 'example.net', reason: 'throwaway addresses' },
        { kind: 'clients', value: '192.0.2.0/24' },
      ]);
      expect(await unblockRegistration(other, OWNER, '@example.net')).toBe('example.net');
      expect(await failure(unblockRegistration(ctx, OWNER, '@example.net'))).toBeInstanceOf(
        NotFoundError,
      );
      clock.advance(HOUR_MS);
      signedIn(await registering(inMode('open'), 'eve@example.net'));
      expect(await listRegistrationBlocks(ctx, OWNER)).toEqual([]);
    });

    test('[AC61] invites that a command makes admit without approval, and one that is revoked says how often it was used', async () => {
      const command = await elsewhere();
      const twice = await createInvite(command, OWNER, { ...ONCE, mostUses: 2, note: 'friends' });
      const { code } = twice;
      signedIn(await register(inMode('approval'), GUEST, { ...person('noether'), invite: code }));
      clock.advance(1);
      const endless = await createInvite(command, OWNER, { ...ONCE, mostUses: undefined });
      expect(await listInvites(command, OWNER)).toEqual([endless, { ...twice, uses: 1 }]);
      expect(await revokeInvite(command, OWNER, code)).toEqual({ ...twice, uses: 1 });
      expect(await revokeInvite(command, OWNER, endless.code)).toEqual(endless);
      expect(await failure(revokeInvite(command, OWNER, code))).toBeInstanceOf(NotFoundError);
      expect(await listInvites(ctx, OWNER)).toEqual([]);
      // Who used it stays.
      expect(await usersNamed('noether')).toHaveLength(1);
    });
  });
});
