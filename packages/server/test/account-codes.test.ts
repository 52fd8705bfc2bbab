import {
  ownUserSchema,
  recoveryCodesSchema,
  signedInSchema,
  totpSecretSchema,
} from '@hearth/protocol/schemas';
import { readError } from '@hearth/testing/clients/read-error';
import { freePorts } from '@hearth/testing/free-ports';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { mailProcess, type MailProcess, type ReadMail } from '@hearth/testing/servers/mail-process';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { totpCode } from '../src/features/accounts/second-factor/totp.ts';

const PASSWORD = 'correct horse battery';
const NEW_PASSWORD = 'tall trees in autumn';

let rest: string;
let mails: MailProcess;
let instance: TestInstance;
beforeAll(async () => {
  mails = await mailProcess();
  const [port = 0] = await freePorts(1);
  rest = `http://127.0.0.1:${port}`;
  instance = await startTestInstance({
    toml: `registration = "open"\npublic_url = "https://chat.example.org"\n${GENEROUS_LIMITS}`,
    env: {
      OPRISH_PORT: String(port),
      SMTP_URL: mails.url,
      MAIL_FROM: 'Hearth <hearth@example.org>',
    },
  });
});
afterAll(async () => {
  await instance[Symbol.asyncDispose]();
  await mails[Symbol.asyncDispose]();
});

interface Asked {
  readonly token?: string | undefined;
  readonly body?: unknown;
}

const ask = (method: string, path: string, { token, body }: Asked = {}) =>
  fetch(`${rest}${path}`, {
    method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

async function answered(method: string, path: string, asked?: Asked): Promise<unknown> {
  const response = await ask(method, path, asked);
  expect([method, path, response.status]).toEqual([method, path, 200]);
  return response.json();
}

const refused = async (method: string, path: string, asked?: Asked) =>
  readError(await ask(method, path, asked));

const linked = ({ text }: ReadMail, page: string) =>
  new RegExp(`https://chat\\.example\\.org${page}#(\\S+)`).exec(text)?.[1] ?? '';

/** A person who has registered, and the code that was sent to them. */
const registered = async (username: string) => {
  const body = { username, email: `${username}@example.org`, password: PASSWORD };
  const signedIn = signedInSchema.parse(await answered('POST', '/users', { body }));
  return { ...signedIn, code: linked(await mails.next(), '/verify-email') };
};

test('[AC31][AC32] people verify their address and choose a new password by mail', async () => {
  const { token, code: first } = await registered('ada');
  expect(await answered('POST', '/users/me/email-code', { token })).toEqual({});
  const code = linked(await mails.next(), '/verify-email');
  const wrong = await refused('PUT', '/users/me/email-code/wrong', { token });
  expect(wrong).toMatchObject({ status: 422, data: { field_name: 'code' } });
  const verified = ownUserSchema.parse(
    await answered('PUT', `/users/me/email-code/${code}`, { token }),
  );
  expect(verified).toMatchObject({ email_verified: true, version: 2 });
  expect(first).not.toBe('');
  const used = await refused('PUT', `/users/me/email-code/${first}`, { token });
  expect(used).toMatchObject({ status: 422 });
  for (const email of ['nobody@example.org', 'ada@example.org']) {
    expect(await answered('POST', '/password-reset', { body: { email } })).toEqual({});
  }
  const reset = linked(await mails.next(), '/reset-password');
  const body = { password: NEW_PASSWORD };
  expect(await answered('PUT', `/password-reset/${reset}`, { body })).toEqual({});
  expect(await refused('PUT', `/password-reset/${reset}`, { body })).toMatchObject({ status: 422 });
  expect(await refused('GET', '/users/me', { token })).toMatchObject({
    data: { code: 'token_ended' },
  });
  expect((await mails.next()).subject).toBe('Hearth: your password has changed');
  await answered('POST', '/auth', { body: { username: 'ada', password: NEW_PASSWORD } });
});

test('[AC44] a new password ends all tokens and gives a new one, a new address is pending', async () => {
  const { token, session } = await registered('grace');
  const body = { username: 'grace', password: PASSWORD };
  const other = signedInSchema.parse(await answered('POST', '/auth', { body }));
  const change = (given: object, by = token) =>
    ask('PATCH', '/users/me', { token: by, body: given });
  expect(await readError(await change({ password: NEW_PASSWORD }))).toMatchObject({
    data: { field_name: 'current_password' },
  });
  const wrong = await change({ password: NEW_PASSWORD, current_password: 'wrong' });
  expect(await readError(wrong)).toMatchObject({
    status: 422,
    data: { field_name: 'current_password' },
  });
  const given = { password: NEW_PASSWORD, current_password: PASSWORD, bio: 'Compilers' };
  const racing = await Promise.all(
    [1, 2, 3].map((index) => change({ ...given, password: `${NEW_PASSWORD} ${index}` })),
  );
  const done = racing.filter(({ ok }) => ok);
  expect(done).toHaveLength(1);
  const changed = signedInSchema.parse(await done[0]?.json());
  expect(changed).toMatchObject({
    user: { bio: 'Compilers' },
    session: { id: session.id, current: true },
  });
  for (const ended of [token, other.token]) {
    expect(await refused('GET', '/users/me', { token: ended })).toMatchObject({ status: 401 });
  }
  const winner = racing.findIndex(({ ok }) => ok) + 1;
  const moved = ownUserSchema.parse(
    await answered('PATCH', '/users/me', {
      token: changed.token,
      body: { email: 'hopper@example.org', current_password: `${NEW_PASSWORD} ${winner}` },
    }),
  );
  expect(moved).toMatchObject({ email: 'grace@example.org', pending_email: 'hopper@example.org' });
  const [mail, notice] = [await mails.next(), await mails.next()].toSorted((a, b) =>
    a.to > b.to ? -1 : 1,
  );
  // The old address is notified, although it was never verified.
  expect([mail?.to, notice?.to]).toEqual(['hopper@example.org', 'grace@example.org']);
  if (mail === undefined) throw new Error('there is no mail');
  const path = `/users/me/email-code/${linked(mail, '/verify-email')}`;
  const now = ownUserSchema.parse(await answered('PUT', path, { token: changed.token }));
  expect([now.email, now.email_verified, now.pending_email]).toEqual([
    'hopper@example.org',
    true,
    undefined,
  ]);
  expect(await mails.next()).toMatchObject({
    to: 'grace@example.org',
    subject: 'Hearth: your address has changed',
  });
  const taken = { email: 'ada@example.org', current_password: `${NEW_PASSWORD} ${winner}` };
  for (let count = 0; count < 5; count += 1) {
    const refusal = await refused('PATCH', '/users/me', { token: changed.token, body: taken });
    expect(refusal).toMatchObject({ status: 409, data: { field_name: 'email' } });
  }
  // Nobody finds out which addresses have accounts.
  expect(await refused('PATCH', '/users/me', { token: changed.token, body: taken })).toMatchObject({
    status: 429,
  });
});

test('[AC36][AC37] people set up and remove a second factor', async () => {
  const { token } = await registered('hedy');
  const ofMe = (method: string, body: unknown) =>
    answered(method, '/users/me/totp', { token, body });
  const both = { current_password: PASSWORD, code: '123456' };
  for (const body of [{}, both]) {
    expect(await refused('POST', '/users/me/totp', { token, body })).toMatchObject({ status: 422 });
  }
  const { secret } = totpSecretSchema.parse(await ofMe('POST', { current_password: PASSWORD }));
  const set = await ofMe('POST', { code: totpCode(secret, Date.now()) });
  const {
    recovery_codes: [first = '', second = ''],
  } = recoveryCodesSchema.parse(set);
  const body = { username: 'hedy', password: PASSWORD };
  expect(await refused('POST', '/auth', { body })).toMatchObject({
    status: 401,
    data: { code: 'factor_required' },
  });
  expect(await refused('POST', '/auth', { body: { ...body, code: '000000' } })).toMatchObject({
    status: 401,
    data: { code: 'factor_wrong' },
  });
  const signedIn = signedInSchema.parse(
    await answered('POST', '/auth', { body: { ...body, code: first } }),
  );
  expect(signedIn.user.factors).toEqual(['totp']);
  const removed = await ofMe('DELETE', { current_password: PASSWORD, code: second });
  expect(ownUserSchema.parse(removed).factors).toEqual([]);
  await answered('POST', '/auth', { body });
});
