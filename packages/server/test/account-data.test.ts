import { accountExportSchema, signedInSchema, type AccountExport } from '@hearth/protocol/schemas';
import { readError } from '@hearth/testing/clients/read-error';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

const PASSWORD = 'correct horse battery';

let instance: TestInstance;
beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
});
afterAll(() => instance[Symbol.asyncDispose]());

const ask = (method: string, path: string, token?: string, body?: unknown) =>
  fetch(`${instance.addresses.rest}${path}`, {
    method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

async function registered(username: string) {
  const body = { username, email: `${username}@example.org`, password: PASSWORD };
  return signedInSchema.parse(await (await ask('POST', '/users', undefined, body)).json());
}

type Ready = Extract<AccountExport, { state: 'ready' }>;

const lobbyMessage = z.object({ id: z.string(), author: z.string(), content: z.string() });

async function post(token: string, content: string) {
  return lobbyMessage.parse(await (await ask('POST', '/messages', token, { content })).json());
}

async function upload(token: string, name: string, content: string) {
  const form = new FormData();
  form.append('file', new File([content], name));
  const answer = await fetch(instance.addresses.files, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  return z.object({ id: z.string(), key: z.string() }).parse(await answer.json());
}

/** The messages of the lobby with this text. */
async function found(content: string): Promise<readonly unknown[]> {
  const all = z.array(z.looseObject({ content: z.string() }));
  const messages = all.parse(await (await ask('GET', '/messages?limit=100')).json());
  return messages.filter((message) => message.content === content);
}

/** Asks for an archive, and waits until it is ready. */
async function exported(token: string): Promise<Ready> {
  const begun = await ask('POST', '/users/me/export', token);
  expect(begun.status).toBe(200);
  let latest = accountExportSchema.parse(await begun.json());
  await until(async () => {
    latest = accountExportSchema.parse(await (await ask('GET', '/users/me/export', token)).json());
    return latest.state !== 'working';
  });
  if (latest.state !== 'ready') throw new Error(`the archive is ${latest.state}`);
  return latest;
}

/** The files of a ZIP archive, by their paths. */
async function unpacked(archive: Response): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-zip-'));
  try {
    await Bun.write(join(folder, 'archive.zip'), await archive.arrayBuffer());
    const python =
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); z.testzip(); z.extractall(sys.argv[2])';
    const { exitCode, stderr } = Bun.spawnSync([
      'python3',
      '-c',
      python,
      join(folder, 'archive.zip'),
      join(folder, 'files'),
    ]);
    expect([exitCode, stderr.toString()]).toEqual([0, '']);
    const names = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile());
    const read = files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(join(folder, 'files/').length), await Bun.file(path).text()] as const;
    });
    return Object.fromEntries(await Promise.all(read));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('[AC14] a copy of what the instance has of a person', () => {
  test('the copy is made in the background, and fetched as a ZIP archive by its address alone', async () => {
    const { token, user, session } = await registered('ada');
    const posted = await post(token, 'good evening');
    for (const emoji of ['👍', '🎉']) {
      await ask('PUT', `/messages/${posted.id}/reactions/${encodeURIComponent(emoji)}`, token);
    }
    const file = await upload(token, 'notes.txt', 'a note');
    expect(await (await ask('GET', '/users/me/export', token)).json()).toEqual({ state: 'none' });
    const { url, size_bytes: sizeBytes } = await exported(token);
    const archive = await fetch(url);
    expect(archive.headers.get('content-type')).toBe('application/zip');
    expect(archive.headers.get('content-disposition')).toMatch(
      /^attachment; filename=hearth-ada-\d{4}-\d\d-\d\d\.zip$/,
    );
    expect(archive.headers.get('content-length')).toBe(String(sizeBytes));
    const files = await unpacked(archive);
    const uploaded = `files/${file.id}/notes.txt`;
    expect(Object.keys(files).toSorted()).toEqual(
      [
        ...['account.json', 'lobby.json', 'reactions.json', 'reading.json', 'sessions.json'],
        ...['message-reactions.json', 'messages.json', uploaded],
        ...['posts.json', 'comments.json', 'votes.json', 'poll-votes.json', 'saved-posts.json'],
      ].toSorted(),
    );
    expect(files[uploaded]).toBe('a note');
    expect(JSON.parse(files['lobby.json'] ?? '')).toMatchObject([
      { id: posted.id, content: 'good evening' },
    ]);
    expect(JSON.parse(files['reactions.json'] ?? '')).toMatchObject([
      { message_id: posted.id, emoji: '🎉' },
      { message_id: posted.id, emoji: '👍' },
    ]);
    expect(JSON.parse(files['account.json'] ?? '')).toMatchObject({ id: user.id, username: 'ada' });
    expect(JSON.parse(files['sessions.json'] ?? '')).toMatchObject([{ id: session.id }]);
    const reading = { read_states: [], notification_settings: [], notifications: [] };
    expect(JSON.parse(files['reading.json'] ?? '')).toEqual(reading);
    expect(JSON.stringify(files)).not.toMatch(/argon2|hash/);
    expect((await fetch(`${url}x`)).status).toBe(404);
    expect((await ask('POST', '/users/me/export', token)).status).toBe(429);
  });

  test('the copy is removed with the account', async () => {
    const { token } = await registered('bob');
    const { url } = await exported(token);
    await ask('DELETE', '/users/me', token, { current_password: PASSWORD, content: 'keep' });
    await until(async () => (await fetch(url)).status === 404);
  });
});

describe('[AC15] deleting an account', () => {
  test('the password is needed, and the decision what becomes of the content', async () => {
    const { token } = await registered('cyd');
    for (const [field, body] of [
      ['current_password', { content: 'keep' }],
      ['current_password', { current_password: 'wrong', content: 'keep' }],
      ['content', { current_password: PASSWORD }],
      ['content', { current_password: PASSWORD, content: 'all' }],
    ] as const) {
      const error = await readError(await ask('DELETE', '/users/me', token, body));
      expect(error).toMatchObject({ status: 422, data: { field_name: field } });
    }
    expect((await ask('GET', '/users/me', token)).status).toBe(200);
  });

  test('the account ends at once: no token, no sign-in, and no name', async () => {
    const { token, user } = await registered('dan');
    const body = { current_password: PASSWORD, content: 'erase' };
    expect((await ask('DELETE', '/users/me', token, body)).status).toBe(200);
    const ended = await readError(await ask('GET', '/users/me', token));
    expect(ended).toMatchObject({ status: 401, data: { code: 'token_ended' } });
    const signIn = await ask('POST', '/auth', undefined, { username: 'dan', password: PASSWORD });
    expect(await readError(signIn)).toMatchObject({
      status: 401,
      data: { code: 'credentials_wrong' },
    });
    expect(await (await ask('GET', `/users/${user.id}`)).json()).toEqual({
      id: user.id,
      username: 'deleted',
      deleted: true,
    });
    expect((await ask('GET', '/users/by-name/dan')).status).toBe(404);
    expect((await ask('GET', '/users/by-name/deleted')).status).toBe(404);
    const again = await ask('POST', '/users', undefined, {
      username: 'dan',
      email: 'dan@example.org',
      password: PASSWORD,
    });
    expect(await readError(again)).toMatchObject({ status: 409, data: { field_name: 'username' } });
  });

  test.each(['keep', 'erase'] as const)(
    'with "%s" decides about messages, reactions and files',
    async (content) => {
      const name = `eve-${content}`;
      const [eve, reader] = [await registered(name), await registered(`reader-${content}`)];
      const own = await post(eve.token, `by ${name}`);
      const others = await post(reader.token, `by somebody else than ${name}`);
      const path = `/messages/${others.id}/reactions/${encodeURIComponent('👍')}`;
      for (const { token } of [eve, reader]) await ask('PUT', path, token);
      const { id, key } = await upload(eve.token, 'notes.txt', `notes of ${name}`);
      const file = `${instance.addresses.files}/${id}?key=${key}`;
      expect((await fetch(file)).status).toBe(200);
      const body = { current_password: PASSWORD, content };
      expect((await ask('DELETE', '/users/me', eve.token, body)).status).toBe(200);
      if (content === 'erase') {
        await until(async () => JSON.stringify(await found(others.content)).includes('"count":1'));
        await until(async () => (await found(own.content)).length === 0);
        await until(async () => (await fetch(file)).status === 404);
        return;
      }
      await until(async () => JSON.stringify(await found(own.content)).includes('"version":2'));
      expect(await found(own.content)).toMatchObject([
        { author: 'deleted', user: { id: eve.user.id, username: 'deleted', deleted: true } },
      ]);
      expect((await fetch(file)).status).toBe(200);
    },
  );
});
