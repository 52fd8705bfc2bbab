import { ACCESS_CODE_HEADER } from '@hearth/protocol';
import {
  communityInviteSchema,
  enteredSchema,
  invitationSchema,
  ownCommunitySchema,
} from '@hearth/protocol/schemas';
import { readError } from '@hearth/testing/clients/read-error';
import { BEHIND_PROXY } from '@hearth/testing/clients/limited-client';
import { asOwner } from '@hearth/testing/instances/as-owner';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { tempFolder } from '@hearth/testing/temp-folder';
import { expect, test } from 'bun:test';
import { OWNER } from '../src/actor.ts';
import { parseClientRange } from '../src/client-range.ts';
import { banClients } from '../src/features/accounts/moderation/bans.ts';
import { setAccessCode } from '../src/features/accounts/moderation/owner-restrictions.ts';

const ACCESS_CODE = 'k7mw-p3xd-9qht';
const BANNED = '203.0.113.7';

interface Asked {
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const ask = (instance: TestInstance, { path, body, headers = {} }: Asked) =>
  fetch(`${instance.addresses.rest}${path}`, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers,
  });

const newcomer = (username: string, invite?: string) => ({
  ...{ username, email: `${username}@example.org`, password: 'correct horse battery' },
  ...(invite !== undefined && { invite }),
});

test('[AC50][IV8] an invite to a community lets in nobody who is banned or lacks the access code', async () => {
  await using folder = await tempFolder();
  const before = await startTestInstance({ folder: folder.path, toml: 'registration = "open"' });
  const made = async (path: string, body: object, token = '') => {
    const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
    return (await ask(before, { path, body, headers })).json();
  };
  const { token } = enteredSchema.parse(await made('/users', newcomer('ada')));
  const input = { name: 'Sea', slug: 'sea', kind: 'both' };
  const { id } = ownCommunitySchema.parse(await made('/communities', input, token));
  const invites = `/communities/${id}/invites`;
  const { code } = communityInviteSchema.parse(await made(invites, { max_uses: 1 }, token));
  await before.stop();
  await asOwner({ folder: folder.path }, async (ctx) => {
    const range = parseClientRange(BANNED);
    if (range !== undefined) await banClients(ctx, OWNER, { range, term: {} });
    await setAccessCode(ctx, OWNER, ACCESS_CODE);
  });
  await using after = await startTestInstance({ folder: folder.path, env: BEHIND_PROXY });
  const welcome = { [ACCESS_CODE_HEADER]: ACCESS_CODE };
  const register = (headers: Readonly<Record<string, string>>) =>
    ask(after, { path: '/users', body: newcomer('bob', code), headers });
  const refusal = async (headers: Readonly<Record<string, string>>) =>
    (await readError(await register(headers))).data;
  expect(await refusal({ ...welcome, 'X-Real-IP': BANNED })).toEqual({ code: 'banned' });
  expect(await refusal({})).toEqual({ code: 'access_code' });
  const path = `/invites/${code}`;
  expect((await readError(await ask(after, { path }))).data).toEqual({ code: 'access_code' });
  const shown = invitationSchema.parse(await (await ask(after, { path, headers: welcome })).json());
  expect(shown.registers).toBe(true);
  const entered = enteredSchema.parse(await (await register(welcome)).json());
  expect(entered.joined?.community_id).toBe(id);
});
