import { ConflictError, ForbiddenError, NotFoundError, UnauthorizedError } from '@hearth/protocol';
import { failureOf } from '@hearth/testing/failure-of';
import { fakeClock, type FakeClock } from '@hearth/testing/fake-clock';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { withRegistration } from '@hearth/testing/instances/with-registration';
import { countedIds } from '@hearth/testing/ports/id-source';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { until } from '@hearth/testing/until';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { SessionAccount } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import type { Database } from '../../../ports/database/database.ts';
import { ownerOutbox } from '../../../ports/outbox/outbox.ts';
import { accountOf } from '../../../http/authenticate.ts';
import { asSessionAccount } from '@hearth/testing/session-account';
import { Passwords } from '../users/passwords.ts';
import { register } from '@hearth/testing/accounts';
import { findCaller, findUser, findUserByName } from '../users/find-user.ts';
import { updateMe } from '../own-account/update-me.ts';
import { endOtherSessions, endSession } from './end-sessions.ts';
import { listSessions } from './list-sessions.ts';
import { renewToken } from './renew-token.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { TokenCheck, UNUSED_MS } from './token-check.ts';
import { newTokenKeys, type TokenKeys } from './token-keys.ts';
import { Tokens } from './tokens.ts';

const GUEST = { kind: 'guest', address: '192.0.2.77' } as const;
const HINT = '192.0.2.0/24';
const PASSWORD = 'correct horse battery';
const ADA = { username: 'ada', email: 'ada@example.org', password: PASSWORD };
const DAY_MS = 86_400_000;

onEachDatabase((open) => {
  describe('accounts', () => {
    let database: TestDatabase;
    let clock: FakeClock;
    let keys: TokenKeys;
    let ctx: InstanceContext;
    let check: TokenCheck;
    let resources: AsyncDisposableStack;

    beforeEach(async () => {
      resources = new AsyncDisposableStack();
      database = resources.use(await open());
      const owner = resources.use(await openTestContext());
      clock = fakeClock();
      keys = await newTokenKeys();
      const tokens = new Tokens({ current: async () => keys, newest: async () => keys }, clock);
      const passwords = new Passwords({ cost: { memoryKiB: 64, passes: 1 } });
      const ids = countedIds();
      const accounts = { passwords, tokens, ids, clock, database: ownerOutbox(database) };
      ctx = withRegistration({ ...owner, ...accounts }, 'open');
      check = checkOn(database);
    });
    afterEach(() => resources.disposeAsync());

    const checkOn = (of: Database) => new TokenCheck({ ...ctx, database: of });
    const codeOf = (failing: Promise<unknown>) =>
      failing.then(
        () => 'none',
        (error: unknown) => (error instanceof UnauthorizedError ? error.data?.['code'] : error),
      );
    const checked = async (token: string, by = check) => by.check(token, GUEST.address);
    const actorOf = async (token: string): Promise<SessionAccount> => {
      return asSessionAccount(accountOf(await checked(token), GUEST.address));
    };

    test('[AC6] a registered account is signed in, and has no password or folded address in any answer', async () => {
      const client = { name: 'hearth web', platform: 'Firefox on Linux' };
      const { user, token, session } = await register(ctx, GUEST, {
        ...ADA,
        display_name: 'Ada Lovelace',
        client,
      });
      expect(user).toEqual({
        id: user.id,
        username: 'ada',
        display_name: 'Ada Lovelace',
        created_at: clock.unixMs(),
        version: 1,
        email: 'ada@example.org',
        email_verified: false,
        settings: {},
        factors: [],
      });
      const times = { created_at: clock.unixMs(), last_used_at: clock.unixMs() };
      const expected = { id: session.id, client, ...times, address_hint: HINT, current: true };
      expect(session).toEqual(expected);
      const actor = await actorOf(token);
      expect([actor.user_id, actor.credential.id]).toEqual([user.id, session.id]);
      expect(await listSessions(ctx, actor)).toEqual([expected]);
    });

    test('[AC6] names that look alike and equal addresses are taken, also if two register at the same time', async () => {
      await register(ctx, GUEST, ADA);
      const other = { username: 'grace', email: 'grace@example.org', password: PASSWORD };
      for (const [change, field] of [
        [{ username: 'ada' }, 'username'],
        [{ username: 'αda' }, 'username'],
        [{ email: 'ADA@example.org' }, 'email'],
      ] as const) {
        const error = await register(ctx, GUEST, { ...other, ...change }).catch((each) => each);
        expect(error).toBeInstanceOf(ConflictError);
        expect(error.data).toMatchObject({ code: 'taken', field_name: field });
      }
      const racing = Array.from({ length: 8 }, (_, index) =>
        register(ctx, GUEST, { ...other, email: `grace${index}@example.org` }),
      );
      const settled = await Promise.allSettled(racing);
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      // Nothing of the others is left: their addresses are free.
      const later = { ...other, username: 'hopper' };
      for (let index = 0; index < 8; index += 1) {
        if (settled[index]?.status === 'fulfilled') continue;
        await register(ctx, GUEST, {
          ...later,
          username: `hopper${index}`,
          email: `grace${index}@example.org`,
        });
      }
    });

    test('[AC6] nobody registers while it is closed, or with a common password', async () => {
      await expect(register(withRegistration(ctx, 'closed'), GUEST, ADA)).rejects.toBeInstanceOf(
        ForbiddenError,
      );
      await expect(register(ctx, GUEST, { ...ADA, password: 'password1' })).rejects.toThrow(
        'password',
      );
      expect((await register(ctx, GUEST, ADA)).user.username).toBe('ada');
    });

    test('[AC7] one signs in with the name or the address, and gets the same refusal for everything wrong', async () => {
      await register(ctx, GUEST, ADA);
      const right = [{ username: ' Ada ' }, { email: 'ADA@example.org' }];
      for (const who of right) {
        const { token, user } = await signIn(ctx, GUEST, { ...who, password: PASSWORD });
        expect((await actorOf(token)).user_id).toBe(user.id);
      }
      const wrong = [
        { username: 'ada', password: 'wrong' },
        { username: 'eve', password: PASSWORD },
        { email: 'ada', password: PASSWORD },
        { username: 'ada@example.org', password: PASSWORD },
        { username: '', password: '' },
      ];
      for (const given of wrong) {
        expect(await codeOf(signIn(ctx, GUEST, given))).toBe('credentials_wrong');
      }
      for (const [state, reason] of [
        ['disabled', 'account_disabled'],
        ['pending', 'pending_approval'],
      ] as const) {
        await database.transaction(({ sql }) => sql.updateTable('users').set({ state }).execute());
        expect(await codeOf(signIn(ctx, GUEST, { username: 'ada', password: 'wrong' }))).toBe(
          'credentials_wrong',
        );
        const right = signIn(ctx, GUEST, { username: 'ada', password: PASSWORD });
        expect(await right.catch((error: unknown) => error)).toMatchObject({
          name: 'ForbiddenError',
          data: { code: reason },
        });
      }
    });

    test('[AC7] a hash with old parameters is replaced when somebody signs in', async () => {
      await register(ctx, GUEST, ADA);
      const passwords = new Passwords({ cost: { memoryKiB: 128, passes: 1 } });
      const given = { username: 'ada', password: PASSWORD };
      const hashes = async () =>
        (await database.reader.selectFrom('users').select('password_hash').execute())[0]
          ?.password_hash;
      const before = await hashes();
      await signIn({ ...ctx, passwords }, GUEST, given);
      expect(await hashes()).not.toBe(before);
      expect(await hashes()).toContain('m=128');
      await signIn({ ...ctx, passwords }, GUEST, given);
    });

    test('[AC8] a session that has ended is refused at every process', async () => {
      const { token } = await register(ctx, GUEST, ADA);
      const given = { username: 'ada', password: PASSWORD };
      const second = await signIn(ctx, GUEST, given);
      const third = await signIn(ctx, GUEST, given);
      await using other = await database.openAgain();
      const elsewhere = checkOn(other);
      for (const each of [second, third]) {
        for (const at of [check, elsewhere]) await checked(each.token, at);
      }
      const me = await actorOf(token);
      await endSession(ctx, me, { id: second.session.id });
      expect(await codeOf(checked(second.token))).toBe('token_ended');
      await until(async () => (await codeOf(checked(second.token, elsewhere))) === 'token_ended');
      await checked(third.token, elsewhere);
      await expect(endSession(ctx, me, { id: second.session.id })).rejects.toBeInstanceOf(
        NotFoundError,
      );
      await endOtherSessions(ctx, me);
      expect(await codeOf(checked(third.token))).toBe('token_ended');
      await until(async () => (await codeOf(checked(third.token, elsewhere))) === 'token_ended');
      expect((await listSessions(ctx, me)).map(({ current }) => current)).toEqual([true]);
    });

    test("[AC8] nobody ends or sees another person's session", async () => {
      const ada = await actorOf((await register(ctx, GUEST, ADA)).token);
      const eve = await actorOf(
        (await register(ctx, GUEST, { ...ADA, username: 'eve', email: 'e@example.org' })).token,
      );
      await expect(endSession(ctx, eve, { id: ada.credential.id })).rejects.toBeInstanceOf(
        NotFoundError,
      );
      await endOtherSessions(ctx, eve);
      expect(await listSessions(ctx, ada)).toHaveLength(1);
      expect(await listSessions(ctx, eve)).toHaveLength(1);
    });

    test('[AC8] the 51st session ends the one that was not used for the longest time', async () => {
      const { token, session } = await register(ctx, GUEST, ADA);
      const given = { username: 'ada', password: PASSWORD };
      clock.halt(1_000);
      const { token: second } = await signIn(ctx, GUEST, given);
      clock.halt(600_001);
      // The first one is used again, so the second one is the oldest.
      await checked(token);
      await until(async () => {
        const all = await listSessions(ctx, await actorOf(token));
        return all.find(({ id }) => id === session.id)?.last_used_at === clock.unixMs();
      });
      for (let count = 2; count < 50; count += 1) await signIn(ctx, GUEST, given);
      expect(await listSessions(ctx, await actorOf(token))).toHaveLength(50);
      await signIn(ctx, GUEST, given);
      expect(await codeOf(checked(second))).toBe('token_ended');
      expect(await listSessions(ctx, await actorOf(token))).toHaveLength(50);
    });

    test('[AC13] people change what they say of themselves, and have no more settings than fit', async () => {
      const me = await actorOf((await register(ctx, GUEST, ADA)).token);
      const lists = { privacy: { lists: 'friends' } };
      const change = { display_name: 'Ada Lovelace', bio: 'Analyst' };
      const settings = { theme: 'dark', ...lists };
      const changed = await updateMe(ctx, me, { ...change, settings });
      expect(changed).toMatchObject({ ...change, settings, version: 2 });
      const cleared = await updateMe(ctx, me, { bio: null, settings: { theme: null } });
      expect(cleared).toMatchObject({
        display_name: 'Ada Lovelace',
        settings: lists,
        version: 3,
      });
      expect(cleared).not.toHaveProperty('bio');
      expect(cleared).toEqual(await findCaller(ctx, me));
      await updateMe(ctx, me, { settings: { a: 'x'.repeat(9_000) } });
      const before = await findCaller(ctx, me);
      const tooMany = updateMe(ctx, me, { bio: 'Poet', settings: { b: 'x'.repeat(9_000) } });
      expect(await failureOf(tooMany)).toMatchObject({ data: { field_name: 'settings' } });
      expect(await findCaller(ctx, me)).toEqual(before);
    });

    test('[AC13] everyone finds a person by id and by name in any case, and nothing private of them', async () => {
      const { user, token } = await register(ctx, GUEST, ADA);
      const found = await findUser(ctx, GUEST, { id: user.id });
      const { id, username, created_at, version } = user;
      expect(found).toEqual({ id, username, created_at, version });
      expect(await findUserByName(ctx, GUEST, { username: 'ADA' })).toEqual(found);
      const forAccounts = { ...ctx, settings: { ...ctx.settings, lobby: 'accounts' as const } };
      expect(await codeOf(findUser(forAccounts, GUEST, { id }))).toBe('token_invalid');
      expect(await findUser(forAccounts, await actorOf(token), { id })).toEqual(found);
      await database.transaction(({ sql }) =>
        sql.updateTable('users').set({ state: 'pending' }).execute(),
      );
      const hidden = [findUser(ctx, GUEST, { id }), findUserByName(ctx, GUEST, { username })];
      for (const each of hidden) expect(await failureOf(each)).toBeInstanceOf(NotFoundError);
    });

    test('[AC9] a renewed token replaces the old one, which ends a minute later', async () => {
      const { token } = await register(ctx, GUEST, ADA);
      const me = await actorOf(token);
      const { token: renewed } = await renewToken(ctx, me);
      const sessionOf = async (each: string) => (await actorOf(each)).credential.id;
      const next = await actorOf(renewed);
      expect(next.credential.id).toBe(me.credential.id);
      clock.halt(59_000);
      expect(await sessionOf(token)).toBe(me.credential.id);
      await expect(renewToken(ctx, await actorOf(token))).rejects.toBeInstanceOf(ConflictError);
      clock.halt(1_000);
      expect(await codeOf(checked(token))).toBe('token_ended');
      expect(await actorOf(renewed)).toEqual(next);
      const { token: again } = await renewToken(ctx, next);
      expect(await codeOf(checked(token))).toBe('token_invalid');
      expect(await sessionOf(again)).toBe(me.credential.id);
      await endSession(ctx, me, { id: me.credential.id });
      expect(await codeOf(renewToken(ctx, next))).toBe('token_ended');
    });

    test('[AC9] a single one of several windows that renew a token at once succeeds, and the former token lasts for a minute more', async () => {
      await using again = await database.openAgain();
      const elsewhere = { ...ctx, database: ownerOutbox(again) };
      const { token } = await register(ctx, GUEST, ADA);
      // All of them were let in before the first one renewed it.
      const windows = await Promise.all(Array.from({ length: 6 }, () => actorOf(token)));
      const renewals = windows.map((window, at) => renewToken(at % 2 ? ctx : elsewhere, window));
      const settled = await Promise.allSettled(renewals);
      const renewed = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      const refused = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
      expect([renewed.length, refused.length]).toEqual([1, 5]);
      for (const error of refused) {
        expect(error).toBeInstanceOf(ConflictError);
        expect(error.data).toMatchObject({ code: 'taken', field_name: 'token' });
      }
      clock.halt(59_999);
      const both = [token, renewed[0]?.token ?? ''];
      for (const each of both) await checkOn(database).check(each, GUEST.address);
      clock.halt(1);
      expect(await codeOf(checked(token, checkOn(database)))).toBe('token_ended');
    });

    test('[AC9][GP19] sessions that come at once are looked up, and noted as used, in few batches', async () => {
      await register(ctx, GUEST, ADA);
      const given = { username: 'ada', password: PASSWORD };
      const tokens: string[] = [];
      for (let count = 0; count < 40; count += 1)
        tokens.push((await signIn(ctx, GUEST, given)).token);
      clock.halt(600_001);
      const counts = { reads: 0, writes: 0 };
      const counted: Database = {
        ...database,
        reader: new Proxy(database.reader, {
          get(target, key) {
            if (key === 'selectFrom') counts.reads += 1;
            // Guarantee: only what a reader has is asked for.
            const member = target[key as keyof typeof target];
            return typeof member === 'function' ? member.bind(target) : member;
          },
        }),
        transaction(work) {
          counts.writes += 1;
          return database.transaction(work);
        },
      };
      const elsewhere = checkOn(counted);
      const holders = await Promise.all(
        tokens.map((token, index) => elsewhere.check(token, `198.51.${index}.7`)),
      );
      expect(new Set(holders.map(({ credential }) => credential.id)).size).toBe(40);
      expect(counts.reads).toBeLessThan(20);
      expect(counts.writes).toBeLessThan(20);
      const sessions = await listSessions(
        ctx,
        asSessionAccount(accountOf(holders[0] ?? (await checked('')), '')),
      );
      const used = sessions.filter(({ last_used_at }) => last_used_at === clock.unixMs());
      expect(used).toHaveLength(40);
      for (const [index, { credential }] of holders.entries()) {
        const hint = used.find(({ id }) => id === credential.id)?.address_hint;
        expect(hint).toBe(`198.51.${index}.0/24`);
      }
    });

    test('[AC9] a session ends after 90 days without use, and lasts as long as it is used', async () => {
      const { token } = await register(ctx, GUEST, ADA);
      const given = { username: 'ada', password: PASSWORD };
      const { token: unused } = await signIn(ctx, GUEST, given);
      const fresh = () => {
        check = checkOn(database);
      };
      clock.halt(UNUSED_MS - DAY_MS);
      fresh();
      await checked(token);
      clock.halt(DAY_MS);
      fresh();
      expect(await codeOf(checked(unused))).toBe('token_ended');
      await checked(token);
    });

    test('[AC9][SC27] the use of a session is noted again at once after a clock was set back', async () => {
      const nowMs = clock.unixMs();
      clock.setUnixMs(nowMs + DAY_MS);
      const { token } = await register(ctx, GUEST, ADA);
      await checked(token);
      clock.setUnixMs(nowMs);
      const usedAt = async () =>
        (await listSessions(ctx, await actorOf(token))).map(({ last_used_at }) => last_used_at);
      await until(async () => (await usedAt())[0] === nowMs);
    });

    test('[AC9] a token of a session that never was, or of another user, is refused', async () => {
      const { user, session } = await register(ctx, GUEST, ADA);
      const made = (claims: object) =>
        ctx.tokens.sign({
          userId: user.id,
          sessionId: session.id,
          secret: 'A'.repeat(22),
          ...claims,
        });
      expect(await codeOf(checked(await made({})))).toBe('token_invalid');
      expect(await codeOf(checked(await made({ sessionId: user.id })))).toBe('token_invalid');
      expect(await codeOf(checked(await made({ userId: session.id })))).toBe('token_invalid');
      expect(await codeOf(checked('nonsense'))).toBe('token_invalid');
    });
  });
});
