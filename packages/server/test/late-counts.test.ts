import { recoveryCodesSchema, signedInSchema, totpSecretSchema } from '@hearth/protocol/schemas';
import { BEHIND_PROXY, LimitedClient, limitHeaders } from '@hearth/testing/clients/limited-client';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { OWNER } from '../src/actor.ts';
import { createInvite } from '../src/features/accounts/registration/invites.ts';
import { totpCode } from '../src/features/accounts/second-factor/totp.ts';

const TOML = `
[oprish.rate_limits]
account_create = { reset_after = 600, limit = 2 }
account_invited = { reset_after = 60, limit = 3 }
auth = { reset_after = 60, limit = 2 }
`;

const PASSWORD = 'correct horse battery';

let instance: TestInstance;
let people = 0;

beforeAll(async () => {
  instance = await startTestInstance({ toml: TOML, env: BEHIND_PROXY });
});
afterAll(() => instance[Symbol.asyncDispose]());

/** The status of an answer, and the window that its headers report. */
async function outcome(answering: Promise<Response>) {
  const answer = await answering;
  const { max, requestCount } = limitHeaders(answer);
  return [answer.status, max, requestCount];
}

const post = (client: LimitedClient, path: string, body: object | string) =>
  client.request(
    'POST',
    `${instance.addresses.rest}${path}`,
    typeof body === 'string' ? body : JSON.stringify(body),
  );

function registering(client: LimitedClient, invite?: string) {
  people += 1;
  const [username, password] = [`person-${people}`, PASSWORD];
  const email = `${username}@example.org`;
  return outcome(post(client, '/users', { username, email, password, invite }));
}

const signingIn = (client: LimitedClient, username: string, password = PASSWORD) =>
  outcome(post(client, '/auth', { username, password }));

/** Sets up the second factor of an account, and returns a code to recover it. */
async function protect(username: string): Promise<string | undefined> {
  const answer = await post(new LimitedClient(), '/auth', { username, password: PASSWORD });
  const { token } = signedInSchema.parse(await answer.json());
  const change = async (body: object): Promise<unknown> => {
    const changed = await fetch(`${instance.addresses.rest}/users/me/totp`, {
      method: 'POST',
      headers: { ...new LimitedClient().headers, authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    return await changed.json();
  };
  const { secret } = totpSecretSchema.parse(await change({ current_password: PASSWORD }));
  const made = recoveryCodesSchema.parse(await change({ code: totpCode(secret, Date.now()) }));
  return made.recovery_codes[0];
}

async function codes(count: number): Promise<readonly string[]> {
  await using ctx = await openTestContext(instance);
  const made: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const terms = { mostUses: undefined, expiresAtMs: undefined, note: '' };
    made.push((await createInvite(ctx, OWNER, terms)).code);
  }
  return made;
}

test('[AC63] a registration counts for a code that can be used, and a wrong one for the address', async () => {
  const client = new LimitedClient();
  const [code, other] = await codes(2);
  expect(await registering(client, '1'.repeat(12))).toEqual([422, 2, 1]);
  expect(await outcome(post(client, '/users', '{'))).toEqual([422, 2, 2]);
  expect(await registering(client, '1'.repeat(12))).toEqual([429, 2, 2]);
  expect(await registering(client)).toEqual([429, 2, 2]);
  for (const used of [1, 2, 3]) expect(await registering(client, code)).toEqual([200, 3, used]);
  expect(await registering(client, code)).toEqual([429, 3, 3]);
  expect(await registering(new LimitedClient(), code)).toEqual([429, 3, 3]);
  expect(await registering(client, other)).toEqual([200, 3, 1]);
});

test('[AC63] an address has ten times as many registrations, whatever their codes', async () => {
  const client = new LimitedClient();
  const [code = ''] = await codes(1);
  for (let sent = 1; sent < 20; sent += 1) await registering(client);
  expect(await registering(client, code)).toEqual([200, 3, 1]);
  expect(await registering(client, code)).toEqual([429, 20, 20]);
});

test('[AC63] a right sign-in counts for the account, and a wrong one for the address', async () => {
  const [code] = await codes(1);
  const names: string[] = [];
  for (let made = 0; made < 2; made += 1) {
    expect((await registering(new LimitedClient(), code))[0]).toBe(200);
    names.push(`person-${people}`);
  }
  const [one = '', two = ''] = names;
  const client = new LimitedClient();
  expect(await signingIn(client, one, 'wrong')).toEqual([401, 2, 1]);
  expect(await signingIn(client, 'nobody', 'wrong')).toEqual([401, 2, 2]);
  expect(await signingIn(client, one, 'wrong')).toEqual([429, 2, 2]);
  expect(await signingIn(client, one)).toEqual([200, 2, 1]);
  expect(await signingIn(client, two)).toEqual([200, 2, 1]);
  expect(await signingIn(new LimitedClient(), one)).toEqual([200, 2, 2]);
  expect(await signingIn(client, one)).toEqual([429, 2, 2]);
  expect(await signingIn(client, two)).toEqual([200, 2, 2]);
});

test('[AC63] somebody who knows the password but not the second factor uses up no sign-ins of the person', async () => {
  const [code] = await codes(1);
  expect((await registering(new LimitedClient(), code))[0]).toBe(200);
  const username = `person-${people}`;
  const recovery = await protect(username);
  const stranger = new LimitedClient();
  for (const used of [1, 2]) expect(await signingIn(stranger, username)).toEqual([401, 2, used]);
  expect(await signingIn(stranger, username)).toEqual([429, 2, 2]);
  // Nor any of others at the same address.
  expect(await signingIn(stranger, 'nobody', 'wrong')).toEqual([401, 2, 1]);
  const person = new LimitedClient();
  expect(await signingIn(person, username)).toEqual([401, 2, 1]);
  const given = { username, password: PASSWORD, code: recovery };
  // The first one was there to set it up.
  expect(await outcome(post(person, '/auth', given))).toEqual([200, 2, 2]);
});
