import {
  ConflictError,
  isEmptyMask,
  isSameMask,
  NotFoundError,
  UnauthorizedError,
  userStream,
} from '@hearth/protocol';
import { register } from '@hearth/testing/accounts';
import { failureOf } from '@hearth/testing/failure-of';
import { fakeClock, type FakeClock } from '@hearth/testing/fake-clock';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { withRegistration } from '@hearth/testing/instances/with-registration';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { until } from '@hearth/testing/until';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { OWNER } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { openSharedIdentity } from '../../platform/identity/open-shared-identity.ts';
import { ownerIdentity } from '../../platform/identity/open-identity.ts';
import { ownerOutbox } from '../../../ports/outbox/outbox.ts';
import { ownerInvite } from '../registration/invites.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { TokenCheck } from '../sessions/token-check.ts';
import { newTokenKeys } from '../sessions/token-keys.ts';
import { Tokens } from '../sessions/tokens.ts';
import { ALL_PERMISSIONS, NO_PERMISSIONS } from '../users/staff-permissions.ts';
import { Passwords } from '../users/passwords.ts';
import { register as registerOrWait } from '../registration/register.ts';
import { createUser } from './create-user.ts';
import { deleteUser } from './delete-user.ts';
import { disableUser } from './change-state.ts';
import { endAnySession, endSessionsOfUser, listAllSessions } from './manage-sessions.ts';
import { makeStaff } from './make-staff.ts';
import { showUser } from './list-users.ts';
import { resetUserPassword } from './reset-user-password.ts';

const GUEST = { kind: 'guest', address: '192.0.2.77' } as const;
const YEAR_MS = 365 * 86_400_000;

onEachDatabase((open) => {
  describe("the owner's commands for accounts", () => {
    let database: TestDatabase;
    let clock: FakeClock;
    /** A process of the instance. */
    let ctx: InstanceContext;
    /** A command beside it, with its own connection. */
    let owner: InstanceContext;
    let resources: AsyncDisposableStack;

    beforeEach(async () => {
      resources = new AsyncDisposableStack();
      database = resources.use(await open());
      const base = resources.use(await openTestContext());
      clock = fakeClock(1_800_000_000_000);
      const keys = await newTokenKeys();
      const tokens = new Tokens({ current: async () => keys, newest: async () => keys }, clock);
      const passwords = new Passwords({ cost: { memoryKiB: 64, passes: 1 } });
      const { ids } = await openSharedIdentity(database, clock);
      resources.use(ids);
      const shared = withRegistration({ ...base, passwords, tokens, clock }, 'open');
      ctx = { ...shared, ids, database: ownerOutbox(database) };
      const again = resources.use(await database.openAgain());
      const own = resources.use(ownerIdentity(again, clock));
      owner = { ...shared, ids: own, database: ownerOutbox(again) };
    });
    afterEach(() => resources.disposeAsync());

    const named = (username: string) => ({
      username,
      display_name: '',
      email: '',
      staff_permissions: NO_PERMISSIONS,
    });
    const person = (username: string, email = `${username}@example.org`) => ({
      username,
      email,
      password: 'correct horse battery',
    });

    test('[AC56][ID9] accounts of a command and of a process get different ids, and staff ends the invite of the owner', async () => {
      expect(await ownerInvite(ctx)).toBeDefined();
      const [one, other] = await Promise.all([
        createUser(owner, OWNER, named('ada')),
        register(ctx, GUEST, person('grace')),
      ]);
      expect(one.user.id).not.toBe(other.user.id);
      expect(await ownerInvite(ctx)).toBeDefined();
      await createUser(owner, OWNER, { ...named('eve'), staff_permissions: ALL_PERMISSIONS });
      expect(await ownerInvite(ctx)).toBeUndefined();
      const invites = await database.reader
        .selectFrom('registration_invites')
        .selectAll()
        .execute();
      expect(invites).toEqual([]);
    });

    test('[ID2] an account is not found by its id with a leading zero, which would be a name', async () => {
      const { user } = await register(ctx, GUEST, person('ada'));
      expect(await showUser(owner, OWNER, user.id)).toMatchObject({ username: 'ada' });
      await expect(showUser(owner, OWNER, `0${user.id}`)).rejects.toThrow(NotFoundError);
    });

    test('[AC58] a disabled account and a new password end the sessions that a process remembers', async () => {
      const check = new TokenCheck({ ...ctx, database, tokens: ctx.tokens });
      const hasEnded = async (token: string) => {
        try {
          await check.check(token, GUEST.address);
          return false;
        } catch (error) {
          return error instanceof UnauthorizedError && error.data?.['code'] === 'token_ended';
        }
      };
      const [ada, grace] = [
        await register(ctx, GUEST, person('ada')),
        await register(ctx, GUEST, person('grace')),
      ];
      for (const { token } of [ada, grace]) expect(await hasEnded(token)).toBe(false);
      await disableUser(owner, OWNER, 'ada');
      await until(() => hasEnded(ada.token));
      expect(await hasEnded(grace.token)).toBe(false);
      const request = { user: 'grace', removesFactor: false };
      const { password } = await resetUserPassword(owner, OWNER, request);
      await until(() => hasEnded(grace.token));
      await signIn(ctx, GUEST, { username: 'grace', password });
    });

    test('[AC58] permissions of the staff apply to a session that a process remembers', async () => {
      const check = new TokenCheck({ ...ctx, database, tokens: ctx.tokens });
      const { token } = await register(ctx, GUEST, person('ada'));
      const permissions = async () => (await check.check(token, GUEST.address)).staffPermissions;
      expect(await permissions()).toEqual(NO_PERMISSIONS);
      await makeStaff(owner, OWNER, { user: 'ada', permissions: ALL_PERMISSIONS });
      await until(async () => isSameMask(await permissions(), ALL_PERMISSIONS));
      await makeStaff(owner, OWNER, { user: 'ada', permissions: NO_PERMISSIONS });
      await until(async () => isEmptyMask(await permissions()));
    });

    test("[AC58] a person's clients hear that they are staff", async () => {
      const { user } = await register(ctx, GUEST, person('ada'));
      await makeStaff(owner, OWNER, { user: 'ada', permissions: ALL_PERMISSIONS });
      const rows = await database.reader
        .selectFrom('outbox')
        .select('entry')
        .where('subject', '=', userStream(user.id))
        .execute();
      const [event] = rows.map(({ entry }) => JSON.parse(entry));
      const d = { id: user.id, version: 2, staff_permissions: expect.any(Array) };
      expect(event).toMatchObject({ event: { op: 'USER_UPDATE', d } });
    });

    test("[AC56] a name that is another account's id stands for neither of them", async () => {
      const { user } = await register(ctx, GUEST, person('ada'));
      const { user: other } = await register(ctx, GUEST, { ...person('eve'), username: user.id });
      const error = await disableUser(owner, OWNER, user.id).catch((failure: unknown) => failure);
      expect(error).toBeInstanceOf(ConflictError);
      await disableUser(owner, OWNER, other.id);
      expect((await showUser(owner, OWNER, 'ada')).state).toBe('active');
    });

    test("[AC60] a session is ended by its id, also if another account's name is the id of its user", async () => {
      const { user, session } = await register(ctx, GUEST, person('ada'));
      const other = await register(ctx, GUEST, { ...person('eve'), username: user.id });
      const ambiguous = await failureOf(endSessionsOfUser(owner, OWNER, user.id));
      expect(ambiguous).toBeInstanceOf(ConflictError);
      await endAnySession(owner, OWNER, session.id);
      const left = await listAllSessions(owner, OWNER, { user: undefined, limit: 9 });
      expect(left.map(({ id }) => id)).toEqual([other.session.id]);
      const again = await failureOf(endAnySession(owner, OWNER, session.id));
      expect(again).toBeInstanceOf(NotFoundError);
    });

    test('[AC59] the name of a deleted account is free after a year, and that of one that waited at once', async () => {
      await register(ctx, GUEST, person('ada'));
      await deleteUser(owner, OWNER, { user: 'ada', content: 'keep' });
      const again = () => register(ctx, GUEST, person('ada', 'new@example.org'));
      await expect(again()).rejects.toBeInstanceOf(ConflictError);
      clock.halt(YEAR_MS - 1);
      await expect(again()).rejects.toBeInstanceOf(ConflictError);
      clock.halt(1);
      await again();
      const waiting = await registerOrWait(
        withRegistration(ctx, 'approval'),
        GUEST,
        person('grace'),
      );
      expect('pending' in waiting).toBe(true);
      await deleteUser(owner, OWNER, { user: waiting.user.id, content: 'keep' });
      await register(ctx, GUEST, person('grace', 'other@example.org'));
      const answers = await database.reader
        .selectFrom('registration_requests')
        .selectAll()
        .execute();
      expect(answers).toEqual([]);
    });
  });
});
