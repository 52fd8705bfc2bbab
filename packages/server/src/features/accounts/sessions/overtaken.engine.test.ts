import { UnauthorizedError, ValidationError } from '@hearth/protocol';
import { failureOf } from '@hearth/testing/failure-of';
import { fakeClock } from '@hearth/testing/fake-clock';
import { PASSWORD, testAccounts, type TestAccounts } from '@hearth/testing/instances/test-accounts';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { OWNER, type SessionAccount } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { deleteMe } from '../own-account/delete-me.ts';
import { disableUser } from '../manage-users/change-state.ts';
import { resetUserPassword } from '../manage-users/reset-user-password.ts';
import { ownerOutbox } from '../../../ports/outbox/outbox.ts';
import { removeTotp } from '../second-factor/remove-totp.ts';
import { register } from '@hearth/testing/accounts';
import { blockRegistration } from '../registration/blocks.ts';
import { setUpTotp } from '../second-factor/set-up-totp.ts';
import { totpCode } from '../second-factor/totp.ts';
import { Passwords } from '../users/passwords.ts';
import { updateMe } from '../own-account/update-me.ts';
import { signIn } from '../sign-in/sign-in.ts';

const GUEST = { kind: 'guest', address: '192.0.2.77' } as const;
const COST = { memoryKiB: 64, passes: 1 };

/** Passwords with which something else happens after each one was compared. */
class Overtaken extends Passwords {
  readonly #first: () => Promise<unknown>;

  constructor(first: () => Promise<unknown>) {
    super({ cost: COST });
    this.#first = first;
  }

  override async compare(password: string, hash: string | undefined) {
    const comparison = await super.compare(password, hash);
    await this.#first();
    return comparison;
  }
}

onEachDatabase((open) => {
  describe('what a password proved', () => {
    let database: TestDatabase;
    let accounts: TestAccounts;
    let ctx: InstanceContext;
    let resources: AsyncDisposableStack;
    const clock = fakeClock();
    beforeAll(async () => {
      resources = new AsyncDisposableStack();
      database = resources.use(await open());
      accounts = resources.use(await testAccounts(database, clock));
      ({ ctx } = accounts);
    });
    afterAll(() => resources.disposeAsync());

    const overtakenBy = (first: () => Promise<unknown>): InstanceContext => ({
      ...ctx,
      passwords: new Overtaken(first),
    });
    const sessionsOf = async ({ user_id: id }: SessionAccount) => {
      const rows = ctx.database.reader.selectFrom('sessions').selectAll().where('user_id', '=', id);
      return (await rows.where('ended_at_ms', '=', 0).execute()).length;
    };
    const setUpFactor = async (actor: SessionAccount) => {
      const begun = await setUpTotp(ctx, actor, { current_password: PASSWORD });
      if (!('secret' in begun)) throw new Error('there is no secret');
      const { secret } = begun;
      const done = await setUpTotp(ctx, actor, { code: totpCode(secret, clock.unixMs()) });
      if (!('recovery_codes' in done)) throw new Error('there are no codes');
      return done.recovery_codes;
    };

    test('[AC54][SC28] a block that comes while the password is hashed keeps out who registers', async () => {
      class Slow extends Passwords {
        override async hash(password: string) {
          await blockRegistration(ctx, OWNER, {
            what: { kind: 'domain', value: 'example.net' },
            term: {},
          });
          return await super.hash(password);
        }
      }
      const passwords = new Slow({ cost: COST });
      const person = { username: 'lise', email: 'lise@example.net', password: PASSWORD };
      const failure = await failureOf(register({ ...ctx, passwords }, GUEST, person));
      expect(failure).toMatchObject({ data: { field_name: 'email' } });
    });

    test('[AC16] a sign-in that a new password, a disabled account or a second factor overtakes begins no session', async () => {
      const overtaking = {
        ada: (actor: SessionAccount) =>
          updateMe(ctx, actor, { current_password: PASSWORD, password: 'tall trees in autumn' }),
        grace: () => resetUserPassword(ctx, OWNER, { user: 'grace', removesFactor: false }),
        hopper: () => disableUser(ctx, OWNER, 'hopper'),
        mary: setUpFactor,
      };
      for (const [username, overtake] of Object.entries(overtaking)) {
        const actor = await accounts.person(username);
        const before = await sessionsOf(actor);
        const by = overtakenBy(() => overtake(actor));
        const failure = await failureOf(signIn(by, GUEST, { username, password: PASSWORD }));
        expect([username, failure]).toEqual([username, expect.any(UnauthorizedError)]);
        expect(await sessionsOf(actor)).toBeLessThanOrEqual(before);
      }
    });

    test('[AC16] a new password overtakes what was proved with the old one', async () => {
      const overtaken = {
        sue: (by: InstanceContext, actor: SessionAccount) =>
          deleteMe(by, actor, { current_password: PASSWORD, content: 'keep' }),
        tina: (by: InstanceContext, actor: SessionAccount) =>
          setUpTotp(by, actor, { current_password: PASSWORD }),
        una: (by: InstanceContext, actor: SessionAccount, code: string) =>
          removeTotp(by, actor, { current_password: PASSWORD, code }),
      };
      for (const [username, act] of Object.entries(overtaken)) {
        const actor = await accounts.person(username);
        const [code = ''] = username === 'una' ? await setUpFactor(actor) : [];
        const by = overtakenBy(() =>
          resetUserPassword(ctx, OWNER, { user: username, removesFactor: false }),
        );
        const failure = await failureOf(act(by, actor, code));
        expect([username, failure]).toEqual([username, expect.any(ValidationError)]);
      }
      const rows = await ctx.database.reader.selectFrom('totp').selectAll().execute();
      const names = await ctx.database.reader.selectFrom('users').selectAll().execute();
      const nameOf = (id: string) => names.find((user) => user.id === id)?.username;
      expect(rows.map((row) => nameOf(row.user_id)).toSorted()).toEqual(['mary', 'una']);
      expect(names.filter(({ state }) => state === 'deleted')).toEqual([]);
    });

    test('[AC16] a session that has ended puts no second factor in force', async () => {
      const actor = await accounts.person('vera');
      const begun = await setUpTotp(ctx, actor, { current_password: PASSWORD });
      if (!('secret' in begun)) throw new Error('there is no secret');
      await resetUserPassword(ctx, OWNER, { user: 'vera', removesFactor: false });
      // Its token was checked before.
      const code = totpCode(begun.secret, clock.unixMs());
      expect(await failureOf(setUpTotp(ctx, actor, { code }))).toBeInstanceOf(UnauthorizedError);
    });

    test('[AC44] a new password ends all tokens and other sessions; of several at the same time, in two processes, one succeeds', async () => {
      const actor = await accounts.person('xenia');
      const other = await signIn(ctx, GUEST, { username: 'xenia', password: PASSWORD });
      await using again = await database.openAgain();
      const processes = [ctx, { ...ctx, database: ownerOutbox(again) }];
      const passwords = [1, 2].map((number) => `tall trees in autumn ${number}`);
      const racing = processes.flatMap((by, at) =>
        passwords.map((each) =>
          updateMe(by, actor, { current_password: PASSWORD, password: `${each} ${at}` }),
        ),
      );
      const settled = await Promise.allSettled(racing);
      const [done, ...more] = settled.filter((each) => each.status === 'fulfilled');
      expect(more).toEqual([]);
      for (const each of settled) {
        if (each.status === 'fulfilled') continue;
        expect(each.reason).toMatchObject({ data: { field_name: 'current_password' } });
      }
      if (done === undefined || !('token' in done.value)) throw new Error('there is no new token');
      expect(done.value.session).toMatchObject({ id: actor.credential.id, current: true });
      expect((await accounts.actorOf(done.value)).credential.id).toBe(actor.credential.id);
      for (const ended of [actor, other]) {
        expect(await failureOf(accounts.actorOf(ended))).toBeInstanceOf(UnauthorizedError);
      }
      expect(await sessionsOf(actor)).toBe(1);
    });

    test('[AC58] a password that the owner resets ends the change of the address', async () => {
      const { user_id: id } = await accounts.person('wilma');
      const pending_email = 'eve@example.org';
      await ctx.database.transaction(({ sql }) =>
        sql.updateTable('users').set({ pending_email }).where('id', '=', id).execute(),
      );
      await resetUserPassword(ctx, OWNER, { user: 'wilma', removesFactor: false });
      const users = ctx.database.reader.selectFrom('users').select('pending_email');
      expect(await users.where('id', '=', id).execute()).toEqual([{ pending_email: '' }]);
    });
  });
});
