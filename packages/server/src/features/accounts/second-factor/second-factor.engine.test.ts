import {
  ConflictError,
  NotFoundError,
  permissionNames,
  RateLimitedError,
  readPermissions,
  STAFF_PERMISSIONS,
  UnauthorizedError,
  ValidationError,
  type SignedIn,
} from '@hearth/protocol';
import { failureOf } from '@hearth/testing/failure-of';
import { fakeClock } from '@hearth/testing/fake-clock';
import { PASSWORD, testAccounts, type TestAccounts } from '@hearth/testing/instances/test-accounts';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { GuessLimits } from '../../platform/guesses/guess-limits.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { TokenCheck } from '../sessions/token-check.ts';
import { removeTotp } from './remove-totp.ts';
import { setUpTotp } from './set-up-totp.ts';
import { totpCode } from './totp.ts';

const GUEST = { kind: 'guest', address: '192.0.2.77' } as const;
const STEP_MS = 30_000;

onEachDatabase((open) => {
  describe('second factor', () => {
    let database: TestDatabase;
    let accounts: TestAccounts;
    const clock = fakeClock();
    beforeAll(async () => {
      database = await open();
      accounts = await testAccounts(database, clock);
    });
    afterAll(async () => {
      await accounts[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    });

    const tried = (name: string, given: object = {}): Promise<SignedIn> =>
      signIn(accounts.ctx, GUEST, { username: name, password: PASSWORD, ...given });
    /** Tries to sign in at a process of its own, which waits for no guess of others. */
    const triedElsewhere = (name: string, given: object) => {
      const ctx = { ...accounts.ctx, guesses: new GuessLimits({ database, clock }) };
      return signIn(ctx, GUEST, { username: name, password: PASSWORD, ...given });
    };
    const codeOf = (failing: Promise<unknown>) =>
      failing.then(
        () => 'none',
        (error: unknown) => (error instanceof UnauthorizedError ? error.data?.['code'] : error),
      );
    const begin = async (actor: Account): Promise<string> => {
      const answer = await setUpTotp(accounts.ctx, actor, { current_password: PASSWORD });
      return 'secret' in answer ? answer.secret : '';
    };
    /** Somebody with a second factor, whose last code was that of the step before this one. */
    const protectedPerson = async (name: string) => {
      const actor = await accounts.person(name);
      const secret = await begin(actor);
      const code = totpCode(secret, clock.unixMs());
      const answer = await setUpTotp(accounts.ctx, actor, { code });
      clock.halt(STEP_MS);
      return { actor, secret, recovery: 'recovery_codes' in answer ? answer.recovery_codes : [] };
    };

    test('[AC36] the password gives a secret, and a code of it puts the second factor in force', async () => {
      const actor = await accounts.person('ada');
      expect(await failureOf(setUpTotp(accounts.ctx, actor, { code: '123456' }))).toMatchObject({
        message: expect.stringContaining('send the password first'),
      });
      const refused = setUpTotp(accounts.ctx, actor, { current_password: 'wrong' });
      expect(await failureOf(refused)).toMatchObject({
        data: { field_name: 'current_password', error: 'is wrong' },
      });
      const answer = await setUpTotp(accounts.ctx, actor, { current_password: PASSWORD });
      const { secret, uri } = 'secret' in answer ? answer : { secret: '', uri: '' };
      expect(secret).toMatch(/^[A-Z2-7]{32}$/);
      const { protocol, host, pathname, searchParams } = new URL(uri);
      expect([protocol, host, pathname]).toEqual(['otpauth:', 'totp', '/Hearth:ada']);
      expect(Object.fromEntries(searchParams)).toMatchObject({ secret, issuer: 'Hearth' });
      // Not in force yet: nobody is locked out by a secret that no app has.
      expect((await tried('ada')).user.factors).toEqual([]);
      const wrong = setUpTotp(accounts.ctx, actor, { code: '000000' });
      expect(await failureOf(wrong)).toMatchObject({
        data: { field_name: 'code', error: 'is wrong' },
      });
      const code = totpCode(secret, clock.unixMs());
      const done = await Promise.allSettled(
        Array.from({ length: 4 }, () => setUpTotp(accounts.ctx, actor, { code })),
      );
      const codes = done.flatMap((each) =>
        each.status === 'fulfilled' && 'recovery_codes' in each.value
          ? [each.value.recovery_codes]
          : [],
      );
      expect(codes).toHaveLength(1);
      expect(new Set(codes[0]).size).toBe(10);
      clock.halt(STEP_MS);
      const { user } = await tried('ada', { code: totpCode(secret, clock.unixMs()) });
      expect(user.factors).toEqual(['totp']);
      expect(await failureOf(begin(actor))).toBeInstanceOf(ConflictError);
    });

    test('[AC37] signing in takes a code too, and no code is accepted twice', async () => {
      const { secret } = await protectedPerson('grace');
      expect(await codeOf(tried('grace'))).toBe('factor_required');
      // The second factor is not revealed to those who do not know the password.
      expect(await codeOf(tried('grace', { password: 'wrong' }))).toBe('credentials_wrong');
      expect(await codeOf(tried('grace', { code: '000000' }))).toBe('factor_wrong');
      const code = totpCode(secret, clock.unixMs());
      const racing = Array.from({ length: 5 }, () => codeOf(triedElsewhere('grace', { code })));
      const results = await Promise.all(racing);
      expect(results.filter((result) => result === 'none')).toHaveLength(1);
      expect(results.filter((result) => result === 'factor_wrong')).toHaveLength(4);
      const before = totpCode(secret, clock.unixMs() - STEP_MS);
      expect(await codeOf(tried('grace', { code: before }))).toBe('factor_wrong');
      const after = totpCode(secret, clock.unixMs() + STEP_MS);
      expect(await codeOf(tried('grace', { code: `${after.slice(0, 3)} ${after.slice(3)}` }))).toBe(
        'none',
      );
      clock.halt(3 * STEP_MS);
      const late = totpCode(secret, clock.unixMs() - 2 * STEP_MS);
      expect(await codeOf(tried('grace', { code: late }))).toBe('factor_wrong');
    });

    test('[AC37][SC27] codes are accepted after a clock was set back, each once', async () => {
      const nowMs = clock.unixMs();
      clock.setUnixMs(nowMs + 3_600_000);
      const { secret } = await protectedPerson('chien');
      const ahead = totpCode(secret, clock.unixMs());
      expect(await codeOf(tried('chien', { code: ahead }))).toBe('none');
      clock.setUnixMs(nowMs);
      const code = totpCode(secret, nowMs);
      expect(await codeOf(tried('chien', { code }))).toBe('none');
      expect(await codeOf(tried('chien', { code }))).toBe('factor_wrong');
    });

    test('[AC38] each recovery code replaces a code once, and the database has none of them', async () => {
      const { recovery } = await protectedPerson('hedy');
      const [first = '', second = ''] = recovery;
      const racing = Array.from({ length: 3 }, () =>
        codeOf(triedElsewhere('hedy', { code: first })),
      );
      expect((await Promise.all(racing)).toSorted()).toEqual([
        'factor_wrong',
        'factor_wrong',
        'none',
      ]);
      expect(await codeOf(tried('hedy', { code: second.toUpperCase().replaceAll('-', ' ') }))).toBe(
        'none',
      );
      const eve = await protectedPerson('eve');
      expect(await codeOf(tried('eve', { code: recovery[2] }))).toBe('factor_wrong');
      const rows = await database.reader.selectFrom('recovery_codes').selectAll().execute();
      expect(rows.length).toBeGreaterThan(17);
      const stored = JSON.stringify(rows);
      for (const code of [...recovery, ...eve.recovery]) {
        expect(stored).not.toContain(code);
        expect(stored).not.toContain(code.replaceAll('-', ''));
      }
    });

    test('[AC38] removing the second factor takes the password and a code', async () => {
      const { actor, secret, recovery } = await protectedPerson('joan');
      const remove = (given: object) =>
        removeTotp(accounts.ctx, actor, { current_password: PASSWORD, code: '', ...given });
      const [recoveryCode = ''] = recovery;
      expect(
        await failureOf(remove({ current_password: 'wrong', code: recoveryCode })),
      ).toMatchObject({ message: expect.stringContaining('current_password') });
      expect(await failureOf(remove({ code: '000000' }))).toMatchObject({
        message: expect.stringContaining('code'),
      });
      const removed = await remove({ code: totpCode(secret, clock.unixMs()) });
      expect(removed.factors).toEqual([]);
      expect((await tried('joan')).user.username).toBe('joan');
      expect(await failureOf(remove({ code: recoveryCode }))).toBeInstanceOf(NotFoundError);
      // The next one begins from nothing.
      expect(await begin(actor)).not.toBe(secret);
    });

    test('[AC43] a session that is wrong too often waits, and no other one does', async () => {
      const { actor } = await protectedPerson('kathy');
      const second = await accounts.actorOf(
        await tried('kathy', { code: (await codesOf(actor)) ?? '' }),
      );
      const guess = (by: Account) =>
        removeTotp(accounts.ctx, by, { current_password: 'wrong', code: '000000' });
      for (let count = 0; count < 5; count += 1) {
        expect(await failureOf(guess(actor))).toBeInstanceOf(ValidationError);
      }
      expect(await failureOf(guess(actor))).toBeInstanceOf(RateLimitedError);
      expect(await failureOf(guess(second))).toBeInstanceOf(ValidationError);
    });

    const codesOf = async (actor: Account) => {
      const row = await database.reader
        .selectFrom('totp')
        .select('secret')
        .where('user_id', '=', actor.user_id)
        .executeTakeFirst();
      return row === undefined ? undefined : totpCode(row.secret, clock.unixMs());
    };

    test('[AC39] if staff need a second factor, the permissions of those without one are not in force', async () => {
      const strict = { ...accounts.ctx.settings, staffSecondFactor: 'required' } as const;
      const ctx = { ...accounts.ctx, settings: strict };
      const actor = await accounts.person('mary');
      const check = new TokenCheck({ ...ctx, database });
      const permissions = async (by = check) =>
        permissionNames(
          STAFF_PERMISSIONS,
          (await by.check(actor.token, GUEST.address)).staffPermissions,
        );
      const staff = readPermissions(STAFF_PERMISSIONS, ['MANAGE_USERS']);
      const given = { username: 'mary', password: PASSWORD };
      expect((await signIn(ctx, GUEST, given)).user.needs_factor).toBeUndefined();
      await database.transaction(({ sql }) =>
        sql
          .updateTable('users')
          .set({ staff_permissions: staff })
          .where('id', '=', actor.user_id)
          .execute(),
      );
      expect(await permissions()).toEqual([]);
      expect(await permissions(new TokenCheck({ ...accounts.ctx, database }))).toEqual([
        'MANAGE_USERS',
      ]);
      const { user } = await signIn(ctx, GUEST, given);
      expect([user.needs_factor, user.staff_permissions]).toEqual([true, undefined]);
      const secret = await begin(actor);
      await setUpTotp(ctx, actor, { code: totpCode(secret, clock.unixMs()) });
      // Without another sign-in: the check has forgotten what it knew.
      expect(await permissions()).toEqual(['MANAGE_USERS']);
      clock.halt(STEP_MS);
      const code = totpCode(secret, clock.unixMs());
      const signedIn = await signIn(ctx, GUEST, { ...given, code });
      expect(signedIn.user.staff_permissions).toHaveLength(1);
      clock.halt(STEP_MS);
      const again = totpCode(secret, clock.unixMs());
      await removeTotp(ctx, actor, { current_password: PASSWORD, code: again });
      expect(await permissions()).toEqual([]);
    });
  });
});
