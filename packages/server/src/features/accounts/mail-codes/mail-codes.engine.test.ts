import {
  ConflictError,
  ForbiddenError,
  RateLimitedError,
  UnauthorizedError,
  userStream,
  ValidationError,
  type UserChange,
} from '@hearth/protocol';
import { register } from '@hearth/testing/accounts';
import { failureOf } from '@hearth/testing/failure-of';
import { fakeClock } from '@hearth/testing/fake-clock';
import { PASSWORD, testAccounts, type TestAccounts } from '@hearth/testing/instances/test-accounts';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { mailProcess, type MailProcess, type ReadMail } from '@hearth/testing/servers/mail-process';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { OWNER, type SessionAccount } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { ownerOutbox } from '../../../ports/outbox/outbox.ts';
import { smtpMailer } from '../../../ports/mail/smtp.ts';
import { GuessLimits } from '../../platform/guesses/guess-limits.ts';
import { JobFailedError } from '../../platform/jobs/job-kind.ts';
import { JobRunner } from '../../platform/jobs/job-runner.ts';
import { listJobs } from '../../platform/jobs/manage-jobs.ts';
import { mailJob } from '../../platform/mail/mail-job.ts';
import { approveUser } from '../manage-users/change-state.ts';
import { resetUserPassword } from '../manage-users/reset-user-password.ts';
import { removeTotp } from '../second-factor/remove-totp.ts';
import { setUpTotp } from '../second-factor/set-up-totp.ts';
import { totpCode } from '../second-factor/totp.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { updateEmail } from '../users/store.ts';
import { lockAccount } from '../users/find-account.ts';
import { updateMe } from '../own-account/update-me.ts';
import { mailCodeJob } from './mail-code-job.ts';
import { redeemEmailCode } from './redeem-email-code.ts';
import { requestPasswordReset, sendEmailCode } from './request-codes.ts';
import { resetPassword } from './reset-password.ts';
import { insertMailCode } from './store.ts';
import { sweepMailCodes } from './sweep-mail-codes.ts';

const GUEST = { kind: 'guest', address: '192.0.2.77' } as const;
const HOUR_MS = 3_600_000;
const NEW_PASSWORD = 'tall trees in autumn';

onEachDatabase((open) => {
  describe('codes from mail', () => {
    let database: TestDatabase;
    let accounts: TestAccounts;
    let ctx: InstanceContext;
    let mails: MailProcess;
    let resources: AsyncDisposableStack;
    const clock = fakeClock();
    beforeAll(async () => {
      resources = new AsyncDisposableStack();
      database = resources.use(await open());
      accounts = resources.use(await testAccounts(database, clock));
      mails = resources.use(await mailProcess());
      const mailer = smtpMailer({ url: mails.url, from: 'Hearth <hearth@example.org>' });
      const publicUrl = 'https://chat.example.org/';
      ctx = { ...accounts.ctx, mailer, settings: { ...accounts.ctx.settings, publicUrl } };
      const kinds = [mailJob(mailer), mailCodeJob(ctx, mailer)];
      resources.use(new JobRunner({ ...ctx, database, kinds }));
    });
    afterAll(() => resources.disposeAsync());

    const codeIn = ({ text }: ReadMail) => /^ {4}((?:\w{4}-){3}\w{4})$/m.exec(text)?.[1] ?? '';
    const mailsSent = () =>
      until(async () => (await listJobs(ctx, OWNER, { isFailed: false })).length === 0);
    /** Lets time pass while no job is being done, which would otherwise be taken over. */
    const pass = async (ms: number) => {
      await mailsSent();
      clock.halt(ms);
    };
    /** The code for a new password that is sent to this address. */
    const resetCode = async (email: string) => {
      await requestPasswordReset(ctx, GUEST, { email });
      return codeIn(await mails.next());
    };
    /** Somebody with a verified address. */
    const verified = async (name: string) => {
      const actor = await accounts.person(name);
      await sendEmailCode(ctx, actor);
      await redeemEmailCode(ctx, actor, { code: codeIn(await mails.next()) });
      return actor;
    };
    const reset = (code: string, password = NEW_PASSWORD) =>
      resetPassword({ ...ctx, guesses: new GuessLimits({ database, clock }) }, GUEST, {
        code,
        password,
      });
    const signedIn = (username: string, password = NEW_PASSWORD) =>
      signIn(ctx, GUEST, { username, password });
    /** The account after a change that gives no new token. */
    const changed = async (by: InstanceContext, actor: SessionAccount, change: UserChange) => {
      const answer = await updateMe(by, actor, change);
      if ('token' in answer) throw new Error('there is a new token');
      return answer;
    };
    const wrongCode = expect.objectContaining({
      data: expect.objectContaining({ field_name: 'code' }),
    });

    test('[ML6] a code that is not sent is worth nothing, and after an hour nothing is sent', async () => {
      const actor = await accounts.person('betty');
      const seen: string[] = [];
      const failing = mailCodeJob(ctx, {
        send: async ({ text }) => {
          seen.push(text);
          throw new Error('come later');
        },
      });
      const nowMs = clock.unixMs();
      const payload = {
        purpose: 'verify',
        account: { id: actor.user_id },
        asked_at_ms: nowMs,
      } as const;
      const attempt = { id: 'a job', number: 1, signal: new AbortController().signal };
      for (let count = 0; count < 7; count += 1) {
        const failure = await failureOf(failing.run(payload, attempt));
        expect(failure).toMatchObject({ message: 'come later' });
      }
      const codes = seen.map((text) => codeIn({ to: '', subject: '', html: '', text }));
      expect(new Set(codes).size).toBe(7);
      const [code = ''] = codes;
      expect(await failureOf(redeemEmailCode(ctx, actor, { code }))).toEqual(wrongCode);
      const late = { ...payload, asked_at_ms: nowMs - HOUR_MS - 1 };
      expect(await failureOf(failing.run(late, attempt))).toBeInstanceOf(JobFailedError);
      expect(seen).toHaveLength(7);
    });

    test('[AC6, ML5] the first mail is in the language with which somebody registered', async () => {
      const guest = { ...GUEST, address: '192.0.2.78' };
      const person = { username: 'gerda', email: 'gerda@example.org', password: PASSWORD };
      const { user } = await register(ctx, guest, { ...person, language: 'de-AT' });
      expect(user.settings).toEqual({ language: 'de-AT' });
      expect((await mails.next()).subject).toBe('Hearth: Bestätige deine Adresse');
    });

    test('[AC31, ML5] a code that reaches the address verifies it, once', async () => {
      const actor = await accounts.person('ada');
      expect(await sendEmailCode(ctx, actor)).toEqual({});
      const mail = await mails.next();
      expect([mail.to, mail.subject]).toEqual(['ada@example.org', 'Hearth: confirm your address']);
      const code = codeIn(mail);
      const link = `https://chat.example.org/verify-email#${code}`;
      expect(mail.text).toContain(`Hello ada,\n\n`);
      expect(mail.text).toContain(
        `Open this page:\n\n    ${link}\n\nOr enter this code there:\n\n    ${code}\n`,
      );
      expect(mail.html).toContain(`<a href="${link}">`);
      expect(mail.html).toContain(`>${code}</p>`);
      const eve = await accounts.person('eve');
      expect(await failureOf(redeemEmailCode(ctx, eve, { code }))).toEqual(wrongCode);
      const typed = ` ${code.toUpperCase().replaceAll('-', '')} `;
      expect((await redeemEmailCode(ctx, actor, { code: typed })).email_verified).toBe(true);
      expect(await failureOf(redeemEmailCode(ctx, actor, { code }))).toEqual(wrongCode);
      expect(await failureOf(sendEmailCode(ctx, actor))).toBeInstanceOf(ConflictError);
    });

    test('[AC30] a code is valid for an hour, is stored hashed, and an account gets five an hour', async () => {
      const actor = await accounts.person('grace');
      const codes: string[] = [];
      for (let count = 0; count < 5; count += 1) {
        await sendEmailCode(ctx, actor);
        codes.push(codeIn(await mails.next()));
        await pass(60_000);
      }
      expect(new Set(codes).size).toBe(5);
      expect(await failureOf(sendEmailCode(ctx, actor))).toMatchObject({
        data: { retry_after: HOUR_MS - 300_000 },
      });
      const stored = JSON.stringify([
        await database.reader.selectFrom('mail_codes').selectAll().execute(),
        await database.reader.selectFrom('jobs').selectAll().execute(),
      ]);
      for (const code of codes) expect(stored).not.toContain(code);
      expect(stored).toContain('grace@example.org');
      await pass(HOUR_MS - 300_000);
      const [first = '', second = ''] = codes;
      expect(await failureOf(redeemEmailCode(ctx, actor, { code: first }))).toEqual(wrongCode);
      await redeemEmailCode(ctx, actor, { code: second });
      await pass(HOUR_MS);
      const attempt = { id: '1', number: 1, signal: new AbortController().signal };
      await sweepMailCodes(ctx).run(undefined, attempt);
      expect(await database.reader.selectFrom('mail_codes').selectAll().execute()).toEqual([]);
    });

    test('[AC30][SC27] codes from before a clock was set back do not count among the five of an hour', async () => {
      const actor = await accounts.person('sophie');
      const nowMs = clock.unixMs();
      clock.setUnixMs(nowMs + HOUR_MS);
      for (let count = 0; count < 5; count += 1) {
        await sendEmailCode(ctx, actor);
        await mails.next();
      }
      expect(await failureOf(sendEmailCode(ctx, actor))).toBeInstanceOf(RateLimitedError);
      await mailsSent();
      clock.setUnixMs(nowMs);
      await sendEmailCode(ctx, actor);
      await redeemEmailCode(ctx, actor, { code: codeIn(await mails.next()) });
    });

    test('[AC30] jobs that send codes at the same time send five an hour together', async () => {
      const { user_id: id } = await accounts.person('irene');
      await using again = await database.openAgain();
      const sent: string[] = [];
      const mailer = { send: async ({ to }: { readonly to: string }) => void sent.push(to) };
      const nowMs = clock.unixMs();
      const payload = { purpose: 'verify', account: { id }, asked_at_ms: nowMs } as const;
      const attempt = { id: 'a job', number: 1, signal: new AbortController().signal };
      const job = mailCodeJob({ ...ctx, database: ownerOutbox(again) }, mailer);
      for (let count = 0; count < 4; count += 1) await job.run(payload, attempt);
      const { promise: isAdded, resolve: added } = Promise.withResolvers<void>();
      const key = { code_hash: 'the fifth', user_id: id } as const;
      const fifth = { ...key, purpose: 'verify', email_key: 'x', created_at_ms: nowMs } as const;
      const elsewhere = database.transaction(async (tx) => {
        await lockAccount(tx, id);
        await insertMailCode(tx.sql, fifth);
        added();
        await new Promise((resolve) => setTimeout(resolve, 50));
      });
      await isAdded;
      await Promise.all([elsewhere, job.run(payload, attempt)]);
      expect(sent).toHaveLength(4);
    });

    test('[AC30] neither another address nor another password lets an account get more than five codes an hour', async () => {
      const person = await accounts.person('nora');
      let [actor, password]: [SessionAccount, string] = [person, PASSWORD];
      for (let count = 0; count < 5; count += 1) {
        const next = `${NEW_PASSWORD} ${count}`;
        const email = `stranger-${count}@example.org`;
        const change = { email, password: next, current_password: password };
        const answer = await updateMe(ctx, actor, change);
        if (!('token' in answer)) throw new Error('there is no new token');
        const both = [await mails.next(), await mails.next()];
        expect(both.map(({ to }) => to).toSorted()).toEqual(['nora@example.org', email]);
        [actor, password] = [await accounts.actorOf(answer), next];
      }
      const given = { email: 'stranger-5@example.org', current_password: password };
      expect(await failureOf(updateMe(ctx, actor, given))).toBeInstanceOf(RateLimitedError);
      // The own address ends the change, and sends nothing.
      const own = await changed(ctx, actor, { ...given, email: 'NORA@example.org' });
      expect(own.pending_email).toBeUndefined();
      await pass(HOUR_MS);
      await changed(ctx, actor, given);
      const both = [await mails.next(), await mails.next()];
      expect(both.map(({ to }) => to).toSorted()).toEqual(['NORA@example.org', given.email]);
    });

    test('[AC32] a single one of ten resets at the same time wins, and it ends all sessions', async () => {
      const actor = await accounts.person('hedy');
      const code = await resetCode('HEDY@example.org');
      const racing = Array.from({ length: 10 }, (_, index) =>
        reset(code, `${NEW_PASSWORD} ${index}`),
      );
      const settled = await Promise.allSettled(racing);
      const winner = settled.findIndex(({ status }) => status === 'fulfilled');
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const each of settled)
        if (each.status === 'rejected') expect(each.reason).toEqual(wrongCode);
      expect(await failureOf(accounts.actorOf(actor))).toMatchObject({
        data: { code: 'token_ended' },
      });
      const { user } = await signedIn('hedy', `${NEW_PASSWORD} ${winner}`);
      // The person reads the mail of this address, so it is verified, and hears of the new password.
      expect(user.email_verified).toBe(true);
      expect((await mails.next()).subject).toBe('Hearth: your password has changed');
      expect(await failureOf(signedIn('hedy', PASSWORD))).toBeInstanceOf(UnauthorizedError);
    });

    test('[AC32] nothing shows whether an address has an account', async () => {
      await accounts.person('joan');
      const answers = [];
      for (const email of ['nobody@example.org', 'joan@example.org']) {
        answers.push(await requestPasswordReset(ctx, GUEST, { email }));
      }
      expect(answers).toEqual([{}, {}]);
      // Both jobs are done, and the only mail is that to the account.
      const mail = await mails.next();
      expect([mail.to, mail.subject]).toEqual([
        'joan@example.org',
        'Hearth: choose a new password',
      ]);
      await mailsSent();
      expect(await listJobs(ctx, OWNER, { isFailed: true })).toEqual([]);
    });

    test('[AC32] a code for a new password is worth nothing elsewhere, and does not survive another use', async () => {
      const actor = await accounts.person('kathy');
      const first = await resetCode('kathy@example.org');
      const second = await resetCode('kathy@example.org');
      expect(await failureOf(redeemEmailCode(ctx, actor, { code: first }))).toEqual(wrongCode);
      expect(await failureOf(reset(first, 'password1'))).toMatchObject({
        message: expect.stringContaining('common'),
      });
      expect(await failureOf(reset(''))).toEqual(wrongCode);
      await reset(second);
      await mails.next();
      expect(await failureOf(reset(first))).toEqual(wrongCode);
      // The first one counts, although it is worth nothing now.
      for (let count = 0; count < 4; count += 1) {
        await requestPasswordReset(ctx, GUEST, { email: 'kathy@example.org' });
        await mails.next();
      }
      // The sixth within an hour is not sent.
      await requestPasswordReset(ctx, GUEST, { email: 'kathy@example.org' });
      await mailsSent();
      await database.transaction(({ sql }) =>
        sql
          .updateTable('users')
          .set({ state: 'disabled' })
          .where('username', '=', 'kathy')
          .execute(),
      );
      await pass(HOUR_MS);
      await requestPasswordReset(ctx, GUEST, { email: 'kathy@example.org' });
      await mailsSent();
      expect(await resetCode('eve@example.org')).not.toBe('');
    });

    test('[AC33] a new address replaces the old one once it is verified, and both get a mail', async () => {
      const actor = await verified('mary');
      const change = (email: string, password = PASSWORD) =>
        changed(ctx, actor, { email, current_password: password });
      expect(await failureOf(change('new@example.org', 'wrong'))).toBeInstanceOf(ValidationError);
      expect(await failureOf(change('ADA@example.org'))).toBeInstanceOf(ConflictError);
      const pending = await change('new@example.org');
      expect([pending.email, pending.pending_email]).toEqual([
        'mary@example.org',
        'new@example.org',
      ]);
      const sent = [await mails.next(), await mails.next()].toSorted((a, b) =>
        a.to < b.to ? -1 : 1,
      );
      expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
        ['mary@example.org', 'Hearth: your address is being changed'],
        ['new@example.org', 'Hearth: confirm your address'],
      ]);
      expect(sent[0]?.text).toContain('new@example.org');
      // Until then, the old one can be used for a new password.
      expect(await resetCode('mary@example.org')).not.toBe('');
      const done = await redeemEmailCode(ctx, actor, {
        code: sent[1] === undefined ? '' : codeIn(sent[1]),
      });
      expect([done.email, done.email_verified, done.pending_email]).toEqual([
        'new@example.org',
        true,
        undefined,
      ]);
      const notice = await mails.next();
      expect([notice.to, notice.subject]).toEqual([
        'mary@example.org',
        'Hearth: your address has changed',
      ]);
      await accounts.person('mary-again', { email: 'mary@example.org' });
    });

    test('[AC33, AC34] an old address that was never verified gets these mails too, five an hour at most', async () => {
      const moving = async (actor: SessionAccount, email: string) => {
        await changed(ctx, actor, { email, current_password: PASSWORD });
        const both = [await mails.next(), await mails.next()];
        const sent = both.map(({ to, subject }) => `${to}: ${subject}`).toSorted();
        return { sent, code: both.map(codeIn).find((each) => each !== '') ?? '' };
      };
      const emmy = await accounts.person('emmy');
      const { code } = await moving(emmy, 'noether@example.org');
      await redeemEmailCode(ctx, emmy, { code });
      const { to, subject } = await mails.next();
      expect([to, subject]).toEqual(['emmy@example.org', 'Hearth: your address has changed']);

      const lise = await accounts.person('lise');
      let last = '';
      for (let count = 0; count < 5; count += 1) {
        const now = await moving(lise, `meitner-${count}@example.org`);
        expect(now.sent).toEqual([
          'lise@example.org: Hearth: your address is being changed',
          `meitner-${count}@example.org: Hearth: confirm your address`,
        ]);
        last = now.code;
      }
      // It is replaced, and has been notified five times.
      await redeemEmailCode(ctx, lise, { code: last });
      await pass(HOUR_MS);
      const { sent } = await moving(lise, 'meitner@example.org');
      expect(sent).toEqual([
        'meitner-4@example.org: Hearth: your address is being changed',
        'meitner@example.org: Hearth: confirm your address',
      ]);
    });

    test('[AC33] a new password, the old address and somebody who was faster end the change', async () => {
      const actor = await verified('rosa');
      const change = (email: string) => changed(ctx, actor, { email, current_password: PASSWORD });
      const changing = async (email: string) => {
        await change(email);
        const both = [await mails.next(), await mails.next()];
        return codeIn(
          both.find(({ to }) => to === email) ?? { to: '', subject: '', text: '', html: '' },
        );
      };
      const first = await changing('rosa-1@example.org');
      expect((await change('rosa@example.org')).pending_email).toBeUndefined();
      expect(await failureOf(redeemEmailCode(ctx, actor, { code: first }))).toEqual(wrongCode);
      const second = await changing('rosa-2@example.org');
      await accounts.person('faster', { email: 'rosa-2@example.org' });
      expect(await failureOf(redeemEmailCode(ctx, actor, { code: second }))).toBeInstanceOf(
        ConflictError,
      );
      const third = await changing('rosa-3@example.org');
      await reset(await resetCode('rosa@example.org'));
      await mails.next();
      const again = await accounts.actorOf(await signedIn('rosa'));
      expect(await failureOf(redeemEmailCode(ctx, again, { code: third }))).toEqual(wrongCode);
    });

    test('[AC57] somebody who is approved gets a mail that says so, with a code for the address', async () => {
      const actor = await accounts.person('ines');
      await database.transaction(({ sql }) =>
        sql
          .updateTable('users')
          .set({ state: 'pending' })
          .where('id', '=', actor.user_id)
          .execute(),
      );
      await approveUser(ctx, OWNER, 'ines');
      const mail = await mails.next();
      expect([mail.to, mail.subject]).toEqual([
        'ines@example.org',
        'Hearth: your account has been approved',
      ]);
      expect(mail.text).toContain('You can sign in now.');
      const { email_verified: isVerified } = await redeemEmailCode(ctx, actor, {
        code: codeIn(mail),
      });
      expect(isVerified).toBe(true);
      await mailsSent();
    });

    test('[AC33, AC35] without a server for mail, an address is replaced at once, and no code can be asked for', async () => {
      const silent = { ...ctx, mailer: undefined };
      const actor = await verified('sally');
      const given = { email: 'sally-2@example.org', current_password: PASSWORD };
      const now = await changed(silent, actor, given);
      expect([now.email, now.email_verified]).toEqual(['sally-2@example.org', false]);
      const refusals = [sendEmailCode(silent, actor), requestPasswordReset(silent, GUEST, given)];
      for (const refusal of refusals)
        expect(await failureOf(refusal)).toBeInstanceOf(ForbiddenError);
      await mailsSent();
    });

    test('[AC34, ML5] a sign-in from a new network is reported in the language of the person, unless they do not want it', async () => {
      const actor = await verified('vera');
      const set = (settings: object) =>
        database.transaction(({ sql }) =>
          sql
            .updateTable('users')
            .set({ settings: JSON.stringify(settings) })
            .where('id', '=', actor.user_id)
            .execute(),
        );
      const from = (address: string) =>
        signIn(ctx, { kind: 'guest', address }, { username: 'vera', password: PASSWORD });
      await from('192.0.2.200');
      await set({ sign_in_mail: false });
      await from('198.51.100.1');
      await set({ language: 'de' });
      await from('203.0.113.9');
      await from('203.0.113.10');
      const mail = await mails.next();
      expect(mail.subject).toBe('Hearth: Anmeldung von einem neuen Ort');
      expect(mail.text).toContain('Hallo vera,');
      expect(mail.text).toContain('203.0.113.0/24');
      expect(mail.html).toContain('ein neues Passwort');
      await mailsSent();
      // Nobody is notified at an address that may be a stranger's.
      await accounts.person('wilma');
      await signIn(
        ctx,
        { kind: 'guest', address: '203.0.113.9' },
        { username: 'wilma', password: PASSWORD },
      );
      expect(await listJobs(ctx, OWNER, { isFailed: false })).toEqual([]);
      // The owner's command does what a person must know, too.
      await database.transaction(({ sql }) =>
        sql
          .insertInto('totp')
          .values({ user_id: actor.user_id, secret: 'x', new_secret: '', last_step: 0 })
          .execute(),
      );
      await resetUserPassword(ctx, OWNER, { user: 'vera', removesFactor: true });
      const sent = [await mails.next(), await mails.next()];
      expect(sent.map(({ to, subject }) => `${to} ${subject}`).toSorted()).toEqual([
        'vera@example.org Hearth: Dein Passwort wurde zurückgesetzt',
        'vera@example.org Hearth: Zweiter Faktor entfernt',
      ]);
    });

    test('[AC41] strangers who guess make nobody wait who has used the account from their network', async () => {
      await verified('xenia');
      const stranger = (index: number) =>
        signIn(
          ctx,
          { kind: 'guest', address: `198.51.100.${index}` },
          { username: 'xenia', password: 'wrong' },
        );
      const newNetwork = { kind: 'guest', address: '203.0.113.50' } as const;
      for (let index = 0; index < 10; index += 1) {
        expect(await failureOf(stranger(index))).toBeInstanceOf(UnauthorizedError);
      }
      expect(await failureOf(stranger(99))).toBeInstanceOf(RateLimitedError);
      await signedIn('xenia', PASSWORD);
      // Who is new somewhere waits with the strangers, but not if they read the mail of the account.
      const given = { username: 'xenia', password: NEW_PASSWORD };
      expect(await failureOf(signIn(ctx, newNetwork, given))).toBeInstanceOf(RateLimitedError);
      const code = await resetCode('xenia@example.org');
      await resetPassword(ctx, newNetwork, { code, password: NEW_PASSWORD });
      await mails.next();
      await signIn(ctx, newNetwork, given);
      expect((await mails.next()).subject).toBe('Hearth: signed in from a new place');
    });

    test('[AC41] a network in which somebody guesses waits on its own', async () => {
      await verified('yara');
      for (let count = 0; count < 10; count += 1) {
        expect(await failureOf(signedIn('yara', 'wrong'))).toBeInstanceOf(UnauthorizedError);
      }
      expect(await failureOf(signedIn('yara', PASSWORD))).toBeInstanceOf(RateLimitedError);
      const elsewhere = { kind: 'guest', address: '203.0.113.77' } as const;
      await signIn(ctx, elsewhere, { username: 'yara', password: PASSWORD });
      await mails.next();
      await pass(1_000);
      await signedIn('yara', PASSWORD);
    });

    test('[AC42] a name that no account has makes one wait like one that an account has', async () => {
      await accounts.person('zoe');
      const waits = async (username: string) => {
        const results: string[] = [];
        for (let count = 0; count < 12; count += 1) {
          const guest = { kind: 'guest', address: `198.51.100.${100 + count}` } as const;
          const error = await signIn(ctx, guest, { username, password: 'wrong' }).catch(
            (each: unknown) => each,
          );
          results.push(error instanceof Error ? `${error.message} ${JSON.stringify(error)}` : '');
        }
        return results;
      };
      expect(await waits('zoe')).toEqual(await waits('nobody-at-all'));
    });

    test('[AC40] an address that is wrong for many accounts waits, also with a right password', async () => {
      const guest = { kind: 'guest', address: '198.51.100.250' } as const;
      const guess = (index: number) =>
        signIn(ctx, guest, { username: `guess-${index}`, password: 'wrong' });
      for (let index = 0; index < 20; index += 1) {
        expect(await failureOf(guess(index))).toBeInstanceOf(UnauthorizedError);
      }
      await accounts.person('one-more');
      const right = signIn(ctx, guest, { username: 'one-more', password: PASSWORD });
      expect(await failureOf(right)).toMatchObject({ data: { retry_after: 1_000 } });
    });

    test("[GP14] a person's clients are sent the account after each change of its address, factor and password", async () => {
      const actor = await verified('olga');
      const own = userStream(actor.user_id);
      const rows = database.reader.selectFrom('outbox').select('entry').where('subject', '=', own);
      /** The events since the last time. */
      let count = 0;
      const events = async () => {
        const all = (await rows.orderBy('number').execute()).map(({ entry }) => JSON.parse(entry));
        return all.slice(count, (count = all.length)).map(({ event }) => event);
      };
      const update = (d: object) => ({ op: 'USER_UPDATE', d: expect.objectContaining(d) });
      expect(await events()).toEqual([update({ email_verified: true, version: 2 })]);
      const email = 'olga-2@example.org';
      await changed(ctx, actor, { email, current_password: PASSWORD });
      expect(await events()).toEqual([update({ pending_email: email })]);
      const both = [await mails.next(), await mails.next()];
      const code = both.map(codeIn).find((each) => each !== '') ?? '';
      const { version } = await redeemEmailCode(ctx, actor, { code });
      expect(await events()).toEqual([update({ email, email_verified: true, version })]);
      const begun = await setUpTotp(ctx, actor, { current_password: PASSWORD });
      expect(await events()).toEqual([]);
      const secret = 'secret' in begun ? begun.secret : '';
      await setUpTotp(ctx, actor, { code: totpCode(secret, clock.unixMs()) });
      expect(await events()).toEqual([update({ factors: ['totp'], version: version + 1 })]);
      await pass(30_000);
      const removal = { current_password: PASSWORD, code: totpCode(secret, clock.unixMs()) };
      await removeTotp(ctx, actor, removal);
      expect(await events()).toEqual([update({ factors: [], version: version + 2 })]);
      for (let mail = 0; mail < 3; mail += 1) await mails.next();
      await reset(await resetCode(email));
      expect(await events()).toEqual([
        update({ email, version: version + 3 }),
        { op: 'SESSION_END', d: { id: actor.credential.id } },
      ]);
      await mails.next();
    });

    test('[AC33] a single one of two accounts that take an address at the same time gets it', async () => {
      const people = [await accounts.person('klara'), await accounts.person('clara')];
      const taken = await Promise.all(
        people.map(({ user_id: id }) =>
          database.transaction(async (tx) => {
            const isDone = await updateEmail(tx.sql, id, {
              email: 'one@example.org',
              verifiedAtMs: 0,
            });
            await new Promise((resolve) => setTimeout(resolve, 50));
            return isDone;
          }),
        ),
      );
      expect(taken.toSorted()).toEqual([false, true]);
    });

    test('[ML2, JB3] mails that were queued while the server for mail was killed arrive when it is back', async () => {
      const actor = await verified('petra');
      await mailsSent();
      const { port } = new URL(mails.url);
      await mails[Symbol.asyncDispose]();
      await requestPasswordReset(ctx, GUEST, { email: 'petra@example.org' });
      await resetUserPassword(ctx, OWNER, { user: 'petra', removesFactor: false });
      const waiting = () => listJobs(ctx, OWNER, { isFailed: false });
      // Both a code and a notice were tried, and wait for another attempt.
      await until(async () => {
        const jobs = await waiting();
        return (
          jobs.length === 2 && jobs.every(({ state, error }) => state === 'waiting' && error !== '')
        );
      });
      mails = resources.use(await mailProcess({ port: Number(port) }));
      clock.advance(20_000);
      const arrived = [await mails.next(), await mails.next()];
      expect(arrived.map(({ to, subject }) => `${to}: ${subject}`).toSorted()).toEqual([
        'petra@example.org: Hearth: choose a new password',
        'petra@example.org: Hearth: your password has been reset',
      ]);
      const code = arrived.map(codeIn).find((each) => each !== '') ?? '';
      await reset(code);
      await mails.next();
      await signedIn('petra');
      expect(await failureOf(accounts.actorOf(actor))).toBeInstanceOf(UnauthorizedError);
      await mailsSent();
    });
  });
});
