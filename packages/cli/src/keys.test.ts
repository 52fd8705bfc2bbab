import { signedInSchema } from '@hearth/protocol/schemas';
import { AccountClient } from '@hearth/testing/clients/account-client';
import { GENEROUS_LIMITS, startTestInstance } from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { expect, test } from 'bun:test';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './run.ts';

const toml = `registration = "open"\n${GENEROUS_LIMITS}`;

async function hearth(folder: string, words: readonly string[], env = {}) {
  const written = { stdout: '', stderr: '' };
  const code = await run(['keys', ...words], {
    env: { LOG_LEVEL: 'silent', ...env },
    workingDir: folder,
    print: (text) => (written.stdout += text),
    warn: (text) => (written.stderr += text),
    streams: process,
    listenForStop: () => AbortSignal.abort(),
  });
  return { code, ...written };
}

test('[AC12] the key is rotated while the instance runs', async () => {
  await using instance = await startTestInstance({ toml });
  const { rest } = instance.addresses;
  const password = 'correct horse battery';
  const answer = await fetch(`${rest}/users`, {
    method: 'POST',
    body: JSON.stringify({ username: 'ada', email: 'ada@example.org', password }),
  });
  const { token } = signedInSchema.parse(await answer.json());
  const tokenOf = async () => {
    const body = JSON.stringify({ username: 'ada', password });
    return signedInSchema.parse(
      await (await fetch(`${rest}/auth`, { method: 'POST', body })).json(),
    ).token;
  };
  const statusOf = async (of: string) =>
    (await fetch(`${rest}/users/me`, { headers: { authorization: `Bearer ${of}` } })).status;
  using client = await AccountClient.enter(instance, { token });
  const rotated = await hearth(instance.folder, ['rotate', '--json']);
  const { key } = JSON.parse(rotated.stdout);
  await until(async () => keyOf(await tokenOf()) === key);
  expect(await statusOf(token)).toBe(200);
  const ended = await hearth(instance.folder, ['rotate', '--now']);
  expect(ended.stdout).toMatch(
    /^Tokens are signed with the new key \S+\. [2-9] sessions have ended\.\n$/,
  );
  await until(async () => (await statusOf(token)) === 401);
  // Its socket would otherwise go on receiving.
  await client.raw.until(() => client.ops.includes('DISCONNECT'));
  expect(client.one('DISCONNECT').d).toMatchObject({ reason: 'unauthorized', reconnect: false });
  expect(await statusOf(await tokenOf())).toBe(200);
});

test('[AC12] the file of TOKEN_KEY_FILE has to exist, and the command makes it', async () => {
  const TOKEN_KEY_FILE = 'keys.json';
  const starting = startTestInstance({ toml, env: { TOKEN_KEY_FILE } });
  await expect(starting).rejects.toThrow(
    'keys.json does not exist: make it with "hearth keys rotate"',
  );
  await using instance = await startTestInstance({ toml });
  await instance.stop();
  const { folder } = instance;
  expect((await hearth(folder, ['rotate'], { TOKEN_KEY_FILE })).code).toBe(0);
  expect((await stat(join(folder, TOKEN_KEY_FILE))).mode & 0o777).toBe(0o600);
  await using again = await startTestInstance({ toml, folder, env: { TOKEN_KEY_FILE } });
  expect((await fetch(again.addresses.rest)).status).toBe(200);
});

function keyOf(token: string): unknown {
  const [header = ''] = token.split('.');
  return JSON.parse(Buffer.from(header, 'base64url').toString())['kid'];
}
