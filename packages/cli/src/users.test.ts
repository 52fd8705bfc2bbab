import {
  communityInviteSchema,
  ownCommunitySchema,
  signedInSchema,
} from '@hearth/protocol/schemas';
import { readError } from '@hearth/testing/clients/read-error';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { run } from './run.ts';

let instance: TestInstance;
beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "approval"\n${GENEROUS_LIMITS}` });
});
afterAll(() => instance[Symbol.asyncDispose]());

/** Runs an owner's command beside the running instance. */
async function hearth(...words: readonly string[]) {
  const written = { stdout: '', stderr: '' };
  const code = await run(words, {
    env: { LOG_LEVEL: 'silent' },
    workingDir: instance.folder,
    print: (text) => (written.stdout += text),
    warn: (text) => (written.stderr += text),
    streams: process,
    listenForStop: () => AbortSignal.abort(),
  });
  return { code, ...written };
}

async function json(...words: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const { code, stdout, stderr } = await hearth(...words, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const post = (path: string, body: object) =>
  fetch(`${instance.addresses.rest}${path}`, { method: 'POST', body: JSON.stringify(body) });

const me = (token: string) =>
  fetch(`${instance.addresses.rest}/users/me`, { headers: { authorization: `Bearer ${token}` } });

async function signIn(username: string, password = '') {
  const answer = await post('/auth', { username, password });
  expect(answer.status).toBe(200);
  return signedInSchema.parse(await answer.json());
}

const refusalOf = async (username: string, password = '') =>
  (await readError(await post('/auth', { username, password }))).data?.['code'];

test('[AC56] hearth users create makes an account beside a running instance, with a password that works', async () => {
  const made = await json('users', 'create', 'Ada', '--email', 'ada@example.org', '--owner');
  expect(made).toEqual({
    id: expect.stringMatching(/^\d+$/),
    username: 'ada',
    password: expect.stringMatching(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/),
  });
  const { user } = await signIn('ada', made['password']);
  expect(user).toMatchObject({ id: made['id'], email: 'ada@example.org' });
  expect(user.staff_permissions).toHaveLength(6);
  const [listed] = JSON.parse((await hearth('users', 'list', '--staff', '--json')).stdout);
  expect(listed).toMatchObject({ id: made['id'], username: 'ada', state: 'active' });
  const again = await hearth('users', 'create', 'ada');
  expect(again).toMatchObject({ code: 1, stdout: '' });
  expect(again.stderr).toBe('hearth: this name is taken, or looks like one that is\n');
  const mail = await hearth('users', 'create', 'adele', '--email', 'ADA@example.org');
  expect(mail.stderr).toBe('hearth: another account has this email address\n');
  expect((await hearth('users', 'create', 'admin')).stderr).toBe(
    'hearth: the username is reserved\n',
  );
});

test('[AC57] a person who waits for approval signs in as soon as the owner approves it', async () => {
  const password = 'correct horse battery';
  const grace = { username: 'grace', email: 'grace@example.org', password, answer: 'I like\nit' };
  expect((await post('/users', grace)).status).toBe(200);
  expect(await refusalOf('grace', password)).toBe('pending_approval');
  expect(await refusalOf('grace', 'wrong')).toBe('credentials_wrong');
  const waiting = await hearth('users', 'list', '--state', 'pending');
  expect(waiting.stdout).toMatch(/pending .* grace +grace@example\.org\n$/);
  expect((await hearth('users', 'show', 'grace')).stdout).toMatch(/\nanswer +I like it\n$/);
  expect((await hearth('users', 'approve', 'Grace')).stdout).toBe('Approved grace\n');
  await signIn('grace', password);
  expect(await hearth('users', 'approve', 'grace')).toMatchObject({
    code: 1,
    stderr: 'hearth: grace cannot be approved: the account is active already\n',
  });
});

test('[AC58] disabling an account and resetting its password end its sessions within a second', async () => {
  const { password = '' } = await json('users', 'create', 'eve');
  const { token } = await signIn('eve', password);
  expect((await me(token)).status).toBe(200);
  expect((await hearth('users', 'disable', 'eve')).stdout).toBe('Disabled eve\n');
  await until(async () => (await me(token)).status === 401);
  expect(await refusalOf('eve', password)).toBe('account_disabled');
  expect((await hearth('users', 'enable', 'eve')).stdout).toBe('Enabled eve\n');
  const { token: second } = await signIn('eve', password);
  expect((await me(second)).status).toBe(200);
  const { password: replaced = '' } = await json('users', 'reset-password', 'eve');
  await until(async () => (await me(second)).status === 401);
  expect(await refusalOf('eve', password)).toBe('credentials_wrong');
  await signIn('eve', replaced);
});

test('[AC58] permissions of the staff apply to sessions within a second, and can be taken away', async () => {
  const { password = '' } = await json('users', 'create', 'hopper');
  const { token } = await signIn('hopper', password);
  const permissions = async () => Object((await (await me(token)).json()) as object);
  expect(await permissions()).not.toHaveProperty('staff_permissions');
  const given = await hearth('users', 'make-staff', 'hopper', '--permissions', 'manage_users');
  expect(given.stdout).toBe('hopper is staff: MANAGE_USERS\n');
  expect(await permissions()).toMatchObject({ staff_permissions: ['MANAGE_USERS'] });
  const taken = await hearth('users', 'make-staff', 'hopper', '--none');
  expect(taken.stdout).toBe('hopper is not staff any more\n');
  const again = await hearth('users', 'make-staff', 'hopper', '--none');
  expect(again).toMatchObject({ code: 0, stdout: 'hopper is not staff\n' });
  expect((await hearth('users', 'make-staff', 'hopper', '--permissions', 'all')).code).toBe(2);
});

test('[AC58] a command that does not fit the state of an account says what the state is', async () => {
  const { id = '' } = await json('users', 'create', 'curie');
  const refusals = async (name: string, ...commands: readonly (readonly string[])[]) => {
    const lines = [];
    for (const [command = '', ...flags] of commands) {
      const { code, stdout, stderr } = await hearth('users', command, name, ...flags);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      lines.push(stderr.trim());
    }
    return lines;
  };
  expect(await refusals('curie', ['approve'], ['enable'])).toEqual([
    'hearth: curie cannot be approved: the account is active already',
    'hearth: curie cannot be enabled: the account is active already',
  ]);
  await hearth('users', 'disable', 'curie');
  expect(await refusals('curie', ['disable'], ['approve'], ['make-staff', '--none'])).toEqual([
    'hearth: curie cannot be disabled: the account is disabled already',
    'hearth: curie cannot be approved: the account is disabled',
    'hearth: curie cannot be made staff: the account is disabled',
  ]);
  expect(await hearth('users', 'reset-password', 'curie')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^New password of curie: \S+\n$/),
    stderr:
      'hearth: warning: curie is disabled: nobody can sign in before "hearth users enable curie"\n',
  });
  await hearth('users', 'delete', 'curie', '--content', 'keep', '--yes');
  const gone = ['delete', '--content', 'keep', '--yes'];
  expect(await refusals(id, gone, ['enable'], ['reset-password'])).toEqual([
    `hearth: ${id} cannot be deleted: the account is deleted already`,
    `hearth: ${id} cannot be enabled: the account is deleted`,
    `hearth: ${id} cannot be given a new password: the account is deleted`,
  ]);
  expect((await hearth('users', 'show', id)).stdout).toMatch(/\nusername +deleted\n/);
});

test('[AC59] a deleted account is gone with its sessions, and its name is not free for a year', async () => {
  const { password = '', id } = await json('users', 'create', 'turing', '--email', 't@example.org');
  const { token } = await signIn('turing', password);
  const asked = await hearth('users', 'delete', 'turing', '--content', 'keep');
  expect(asked).toMatchObject({
    code: 1,
    stderr: 'hearth: nothing was deleted: add --yes to delete turing\n',
  });
  expect((await hearth('users', 'delete', 'turing', '--yes')).code).toBe(2);
  expect(await json('users', 'delete', 'turing', '--content', 'keep', '--yes')).toEqual({
    id: id ?? '',
    username: 'turing',
  });
  await until(async () => (await me(token)).status === 401);
  expect(await refusalOf('turing', password)).toBe('credentials_wrong');
  const shown = await fetch(`${instance.addresses.rest}/users/${id}`);
  expect(await shown.json()).toEqual({ id: id ?? '', username: 'deleted', deleted: true });
  expect((await hearth('users', 'create', 'turing')).stderr).toContain('is taken');
  // The address for mail is free at once.
  await json('users', 'create', 'alan', '--email', 't@example.org');
  expect(await hearth('users', 'show', 'turing')).toMatchObject({
    code: 1,
    stderr: 'hearth: there is no account turing: see hearth users list\n',
  });
});

test('[AC60] hearth sessions lists sessions and ends one or all of an account', async () => {
  const { password = '' } = await json('users', 'create', 'lovelace');
  const [one, two, three] = [
    await signIn('lovelace', password),
    await signIn('lovelace', password),
    await signIn('lovelace', password),
  ];
  const listed = JSON.parse((await hearth('sessions', 'list', 'lovelace', '--json')).stdout);
  expect(listed).toHaveLength(3);
  expect(listed[0]).toMatchObject({ username: 'lovelace', user_id: one.user.id });
  expect((await hearth('sessions', 'list')).stdout).toContain(` lovelace `);
  const ended = await hearth('sessions', 'end', one.session.id);
  expect(ended.stdout).toBe(`Ended session ${one.session.id}\n`);
  await until(async () => (await me(one.token)).status === 401);
  expect((await me(two.token)).status).toBe(200);
  expect((await hearth('sessions', 'end', '--user', 'lovelace')).stdout).toBe(
    'Ended all sessions of lovelace\n',
  );
  for (const { token } of [two, three]) {
    await until(async () => (await me(token)).status === 401);
  }
  expect(await hearth('sessions', 'end', one.session.id)).toMatchObject({
    code: 1,
    stderr: `hearth: there is no session ${one.session.id}: see hearth sessions list\n`,
  });
  expect((await hearth('sessions', 'end')).code).toBe(2);
});

test('[AC61] hearth invites creates, lists and revokes invites, which admit without approval', async () => {
  expect((await hearth('invites', 'list')).stdout).toBe('There are no invites.\n');
  const { code = '' } = await json('invites', 'create', '--uses', '2', '--note', 'friends');
  const invited = {
    username: 'noether',
    email: 'n@example.org',
    password: 'correct horse battery',
  };
  const answer = await post('/users', { ...invited, invite: code });
  expect(signedInSchema.parse(await answer.json()).user.username).toBe('noether');
  const [titles, line] = (await hearth('invites', 'list')).stdout.split('\n');
  expect(titles).toMatch(/^CODE +USED +CREATED +EXPIRES +NOTE$/);
  expect(line).toMatch(/^[1-9A-HJ-NP-Za-km-z]{12} +1 of 2 .* UTC +friends$/);
  const endless = await json('invites', 'create', '--uses', 'any', '--for', 'never');
  expect(Object.keys(endless).toSorted()).toEqual(['code', 'created_at', 'uses']);
  expect((await hearth('invites', 'revoke', code)).stdout).toBe(
    `Revoked ${code}, which was used once. The accounts of those who used it stay.\n`,
  );
  const revoked = await hearth('invites', 'revoke', endless['code'] ?? '', '--json');
  expect(JSON.parse(revoked.stdout)).toEqual({ code: endless['code'], uses: 0 });
  expect(await hearth('invites', 'revoke', code)).toMatchObject({
    code: 1,
    stderr: `hearth: there is no invite ${code}: see hearth invites list\n`,
  });
  expect((await hearth('invites', 'create', '--uses', '0')).code).toBe(2);
  expect((await hearth('invites', 'create', '--for', 'ever')).code).toBe(2);
});

test('[AC54] hearth registration blocks, lists and unblocks mail domains and addresses', async () => {
  expect((await hearth('registration', 'blocks')).stdout).toBe('Nothing is blocked.\n');
  expect((await hearth('registration', 'block', 'Example.COM', '--reason', 'spam')).stdout).toMatch(
    /^Blocked example\.com \(spam\): hearth registration unblock [a-z2-9]{8} lifts it\n$/,
  );
  await json('registration', 'block', '192.0.2.0/24', '--for', '1h');
  const listed = JSON.parse((await hearth('registration', 'blocks', '--json')).stdout);
  expect(listed).toMatchObject([{ value: 'example.com' }, { value: '192.0.2.0/24' }]);
  const lifted = await hearth('registration', 'unblock', '@example.com');
  expect(lifted.stdout).toBe('Unblocked example.com\n');
  expect((await hearth('registration', 'unblock', listed[1].id)).stdout).toBe(
    'Unblocked 192.0.2.0/24\n',
  );
  expect((await hearth('registration', 'unblock', 'example.com')).code).toBe(1);
  expect((await hearth('registration', 'block', 'nonsense')).code).toBe(1);
});

test('[AC56][IV12] hearth users list --invited-by lists who registered with the invites of somebody, and show names them', async () => {
  const rest = async (token: string, path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${instance.addresses.rest}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return await answer.json();
  };
  const made = await json('users', 'create', 'bartik');
  const { token } = await signIn('bartik', made['password']);
  const sea = { name: 'Sea', slug: 'sea', kind: 'both' };
  const { id } = ownCommunitySchema.parse(await rest(token, '/communities', sea));
  const invite = await rest(token, `/communities/${id}/invites`, {});
  const { code } = communityInviteSchema.parse(invite);
  const holberton = {
    username: 'holberton',
    email: 'holberton@example.org',
    password: 'correct horse battery',
  };
  expect((await post('/users', { ...holberton, invite: code })).status).toBe(200);
  const list = async (name: string) =>
    JSON.parse((await hearth('users', 'list', '--invited-by', name, '--json')).stdout);
  for (const name of ['bartik', made['id'] ?? '']) {
    expect(await list(name)).toMatchObject([{ username: 'holberton', invited_by: made['id'] }]);
  }
  expect(await list('holberton')).toEqual([]);
  expect((await hearth('users', 'list', '--invited-by', 'turing')).stderr).toBe(
    'hearth: there is no account turing: see hearth users list\n',
  );
  expect((await hearth('users', 'approve', 'holberton')).code).toBe(0);
  expect((await hearth('users', 'show', 'holberton')).stdout).toMatch(/^invited_by_name +bartik$/m);
});
