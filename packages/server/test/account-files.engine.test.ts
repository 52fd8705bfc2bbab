import { accountExportSchema, signedInSchema } from '@hearth/protocol/schemas';
import { Cluster } from '@hearth/testing/instances/cluster';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { areServersMissing, sharedServers } from '@hearth/testing/servers/shared-servers';
import { until } from '@hearth/testing/until';
import { expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const PASSWORD = 'correct horse battery';

test.skipIf(areServersMissing)(
  '[JB2, AC14, AC15] what a REST service wants of files is done by the process that serves them, and the rest without it',
  async () => {
    await using servers = await sharedServers();
    const plan = { rests: 1, gateways: 0, files: 0 };
    const toml = `registration = "open"\n${GENEROUS_LIMITS}`;
    await using cluster = await Cluster.start(await servers.newInstance(), { ...plan, toml });
    const { rest } = cluster.at().addresses;
    const ask = (method: string, path: string, token = '', body?: object) =>
      fetch(`${rest}${path}`, {
        method,
        headers: token === '' ? {} : { authorization: `Bearer ${token}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const registered = async (username: string) => {
      const person = { username, email: `${username}@example.org`, password: PASSWORD };
      const answer = await ask('POST', '/users', '', person);
      return signedInSchema.parse(await answer.json()).token;
    };
    const leaving = { current_password: PASSWORD, content: 'erase' };

    // As long as there is no file service, and perhaps never.
    const early = await registered('bob');
    const isListed = async () => (await (await ask('GET', '/messages')).text()).includes('by bob');
    await ask('POST', '/messages', early, { content: 'by bob' });
    await until(isListed);
    expect((await ask('DELETE', '/users/me', early, leaving)).status).toBe(200);
    await until(async () => !(await isListed()));

    const process = await cluster.add('files');
    const token = await registered('ada');
    const upload = async (content: string) => {
      const form = new FormData();
      form.append('file', new File([content], `${content}.txt`));
      const headers = { authorization: `Bearer ${token}` };
      const sent = await fetch(process.addresses.files, { method: 'POST', headers, body: form });
      return z.object({ id: z.string() }).parse(await sent.json()).id;
    };
    const stored = async () => {
      const names = await readdir(join(process.folder, 'data', 'blobs'), {
        recursive: true,
        withFileTypes: true,
      });
      return names.filter((entry) => entry.isFile()).length;
    };
    await upload('kept');
    const removed = await upload('removed');
    // A file may still be in the folder of those that arrive.
    await until(async () => (await stored()) === 2);
    expect((await ask('DELETE', `/users/me/uploads/${removed}`, token)).status).toBe(200);
    await until(async () => (await stored()) === 1);
    await ask('POST', '/users/me/export', token);
    const state = async () =>
      accountExportSchema.parse(await (await ask('GET', '/users/me/export', token)).json());
    await until(async () => (await state()).state === 'ready');
    await until(async () => (await stored()) === 2);
    expect((await ask('DELETE', '/users/me', token, leaving)).status).toBe(200);
    await until(async () => (await stored()) === 0);
  },
  120_000,
);
