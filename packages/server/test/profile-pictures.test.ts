import { parseId, type FileData, type OwnUser } from '@hearth/protocol';
import {
  ownUserSchema,
  signedInSchema,
  userSchema,
  userSummarySchema,
} from '@hearth/protocol/schemas';
import { readHistory } from '@hearth/testing/clients/history-client';
import { photograph } from '@hearth/testing/clients/photograph';
import { readError, readValidationError } from '@hearth/testing/clients/read-error';
import { encodeForm, filePart, readFileData, upload } from '@hearth/testing/clients/upload-form';
import { storedFiles } from '@hearth/testing/instances/stored-files';
import { openTestContext } from '@hearth/testing/instances/test-context';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { OWNER } from '../src/actor.ts';
import { deleteUser } from '../src/features/accounts/manage-users/delete-user.ts';
import { removeUpload } from '../src/features/files/uploads/remove-upload.ts';
import { fixtureBytes } from '@hearth/testing/media/fixtures';

const FIELDS = ['avatar', 'banner'] as const;
const HOUR = 'public, max-age=3600';

let instance: TestInstance;
let token: string;
let id: string;
let pictures = 0;

beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  ({ token, id } = await registered('ada'));
});

afterAll(() => instance[Symbol.asyncDispose]());

const ask = (method: string, path: string, body?: unknown, holder = token) =>
  fetch(`${instance.addresses.rest}${path}`, {
    method,
    headers: { Authorization: `Bearer ${holder}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

async function registered(username: string) {
  const body = { username, email: `${username}@example.org`, password: 'correct horse battery' };
  const answer = await fetch(`${instance.addresses.rest}/users`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  const signedIn = signedInSchema.parse(await answer.json());
  return { token: signedIn.token, id: signedIn.user.id };
}

async function uploaded(bytes: string | Uint8Array, holder = token): Promise<FileData> {
  const { contentType, body } = encodeForm(filePart(bytes));
  const headers = { 'Content-Type': contentType, Authorization: `Bearer ${holder}` };
  const url = `${instance.addresses.files}/attachments`;
  return readFileData(await fetch(url, { method: 'POST', headers, body }));
}

/** A picture unlike all others. */
async function picture(holder = token): Promise<FileData> {
  pictures += 1;
  return uploaded(await photograph({ width: 200 + pictures, height: 150 }), holder);
}

async function changed(body: Record<string, unknown>): Promise<OwnUser> {
  const answer = await ask('PATCH', '/users/me', body);
  expect(answer.status).toBe(200);
  return ownUserSchema.strict().parse(await answer.json());
}

const fetched = (path: string) => fetch(`${instance.addresses.files}${path}`);
const statusOf = async (path: string) => (await fetched(path)).status;
const used = async () =>
  ownUserSchema.parse(await (await ask('GET', '/users/me')).json()).storage?.used;

test('[FS40] a picture in a profile is public under its id, in every size, until it is replaced', async () => {
  for (const field of FIELDS) {
    const [first, second] = [await picture(), await picture()];
    // What was fetched with the key before is remembered.
    for (const path of [`/${first.id}`, `/media/${first.id}?size=96`]) {
      expect(await statusOf(path)).toBe(404);
      expect(await statusOf(`${path}${path.includes('?') ? '&' : '?'}key=${first.key}`)).toBe(200);
    }
    const before = await changed({});
    const user = await changed({ [field]: first.id });
    expect(user).toMatchObject({ [field]: first.id, version: before.version + 1 });
    for (const path of [`/${first.id}`, `/attachments/${first.id}`, `/media/${first.id}?size=96`]) {
      for (const query of ['', `key=${first.key}`, 'key=x']) {
        const answer = await fetched(`${path}${path.includes('?') ? '&' : '?'}${query}`);
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, HOUR]);
      }
    }
    // Its key stays a secret.
    const { key: _, ...shown } = first;
    expect(await (await fetched(`/${first.id}/data`)).json()).toEqual(shown);
    expect(await (await fetched(`/${first.id}/data?key=${first.key}`)).json()).toEqual(first);
    expect(await changed({ [field]: second.id })).toMatchObject({ [field]: second.id });
    for (const path of [`/${first.id}`, `/${first.id}?key=${first.key}`, `/media/${first.id}`]) {
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    }
    expect(await statusOf(`/media/${second.id}?size=96`)).toBe(200);
    expect(await changed({ [field]: null })).not.toHaveProperty(field);
    expect(await statusOf(`/media/${second.id}?size=96`)).toBe(404);
  }
  expect(await used()).toBe(0);
  expect(await storedFiles(instance.folder)).toEqual({ contents: [], incoming: [] });
});

test('[FS40] everyone sees the pictures of a person, also beside their messages', async () => {
  const [avatar, banner] = [await picture(), await picture()];
  await changed({ avatar: avatar.id, banner: banner.id });
  const found = await fetch(`${instance.addresses.rest}/users/${id}`);
  const shown = { avatar: avatar.id, banner: banner.id };
  expect(userSchema.strict().parse(await found.json())).toMatchObject(shown);
  expect(await (await ask('GET', '/users/me')).json()).toMatchObject(shown);
  await ask('POST', '/messages', { content: 'good evening' });
  const [newest] = await readHistory(instance, '?limit=1');
  const summary = userSummarySchema.strict().parse(newest?.user);
  expect<unknown>(summary).toEqual({ id, username: 'ada', avatar: avatar.id });
  await changed({ avatar: null, banner: null });
});

test('[FS40] a picture that is used twice or changes its place stays, and so does one that is set again', async () => {
  const [one, other] = [await picture(), await picture()];
  await changed({ avatar: one.id, banner: one.id });
  await changed({ avatar: one.id });
  await changed({ avatar: other.id });
  expect([await statusOf(`/${one.id}`), await statusOf(`/${other.id}`)]).toEqual([200, 200]);
  await changed({ avatar: one.id, banner: other.id });
  expect([await statusOf(`/${one.id}`), await statusOf(`/${other.id}`)]).toEqual([200, 200]);
  await changed({ avatar: null, banner: one.id });
  expect([await statusOf(`/${one.id}`), await statusOf(`/${other.id}`)]).toEqual([200, 404]);
  await changed({ banner: null });
});

test('[FS41] only an own picture that can be decoded is taken, and nothing changes otherwise', async () => {
  const stranger = await registered('grace');
  const avatar = await picture();
  const before = await changed({ avatar: avatar.id });
  const text = await uploaded('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const damaged = await uploaded((await photograph({ width: 40, height: 30 })).subarray(0, 60));
  const refused = [
    ['no id', 'x'],
    ['no file', '1'],
    ["another person's file", (await picture(stranger.token)).id],
    ['a file without a key', (await upload(instance.addresses.files, 'x')).id],
    ['a text', text.id],
    ['a video', (await uploaded(await fixtureBytes('moov-first.mp4'))).id],
    ['a picture of an unknown kind', (await uploaded(await fixtureBytes('palette.bmp'))).id],
    ['a damaged picture', damaged.id],
  ] as const;
  for (const field of FIELDS) {
    for (const [what, file] of refused) {
      const answer = await ask('PATCH', '/users/me', { bio: 'x', [field]: file });
      expect([what, (await readValidationError(answer)).field]).toEqual([what, field]);
    }
  }
  const { storage: _, ...now } = ownUserSchema.parse(await (await ask('GET', '/users/me')).json());
  expect(now).toEqual(before);
  expect(await statusOf(`/${avatar.id}`)).toBe(200);
  const answer = await ask('PATCH', '/users/me', { avatar: avatar.id }, stranger.token);
  expect((await readError(answer)).status).toBe(422);
  await changed({ avatar: null });
});

test('[FS41] a picture that the owner removes leaves the profiles that show it', async () => {
  const avatar = await picture();
  const { version } = await changed({ avatar: avatar.id, banner: avatar.id });
  {
    await using ctx = await openTestContext(instance);
    const removed = parseId(avatar.id);
    if (removed === undefined) throw new Error('no id');
    await removeUpload(ctx, OWNER, removed);
  }
  const user = ownUserSchema.parse(await (await ask('GET', '/users/me')).json());
  expect([user.avatar, user.banner, user.version]).toEqual([undefined, undefined, version + 1]);
  await until(async () => (await statusOf(`/${avatar.id}`)) === 404);
  await ask('POST', '/messages', { content: 'good night' });
  expect((await readHistory(instance, '?limit=1'))[0]?.user).not.toHaveProperty('avatar');
});

test('[FS39] the own account shows what its files take, and may take', async () => {
  const before = (await used()) ?? 0;
  await uploaded('x'.repeat(1_000));
  const me = ownUserSchema.parse(await (await ask('GET', '/users/me')).json());
  expect(me.storage).toEqual({ used: before + 1_000, limit: 1_000_000_000 });
});

test('[FS41] the pictures of an account that is deleted are removed with it', async () => {
  const gone = await registered('gone');
  const shown = await picture(gone.token);
  await ask('PATCH', '/users/me', { avatar: shown.id, banner: shown.id }, gone.token);
  const key = `/${shown.id}?key=${shown.key}`;
  expect([await statusOf(`/${shown.id}`), await statusOf(key)]).toEqual([200, 200]);
  {
    await using ctx = await openTestContext(instance);
    await deleteUser(ctx, OWNER, { user: 'gone', content: 'keep' });
  }
  await until(async () => (await statusOf(`/${shown.id}`)) === 404);
  expect(await statusOf(key)).toBe(404);
});
