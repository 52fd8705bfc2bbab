import { asOwner } from '@hearth/testing/instances/as-owner';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { OWNER } from '../../server/src/actor.ts';
import { showAccessCode } from '../../server/src/features/accounts/moderation/owner-restrictions.ts';
import { run } from './run.ts';

const CODE = 'a&b=c+d';

let instance: TestInstance;

beforeAll(async () => {
  instance = await startTestInstance();
});

afterAll(() => instance[Symbol.asyncDispose]());

/** Runs the command line beside the instance, in this process. */
async function hearth(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const written = { stdout: '', stderr: '' };
  const code = await run(words, {
    env: { LOG_LEVEL: 'silent', ...env },
    workingDir: instance.folder,
    print: (text) => (written.stdout += text),
    warn: (text) => (written.stderr += text),
    streams: process,
    listenForStop: () => AbortSignal.abort(),
  });
  return { code, ...written };
}

/** Resolves when the running instance needs a code, or no longer does. */
const untilNeeded = (isNeeded: boolean) =>
  until(async () => {
    const answer = await fetch(`${instance.addresses.rest}/capabilities`);
    const { access_code: isAsked = false } = (await answer.json()) as { access_code?: boolean };
    return isAsked === isNeeded;
  });

test('[MO20] access-code makes up a code or sets a given one, prints it and removes it', async () => {
  expect((await hearth(['access-code', 'show'])).stdout).toBe('No access code is needed\n');
  const made = await hearth(['access-code', 'set']);
  expect(made.stdout).toMatch(/^The access code is ([a-z2-9]{4}-){2}[a-z2-9]{4}\n$/);
  expect((await hearth(['access-code', 'show'])).stdout).toBe(made.stdout);
  const set = await hearth(['access-code', 'set', 'kitten', '--json']);
  expect(JSON.parse(set.stdout)).toEqual({ access_code: 'kitten' });
  expect(await asOwner(instance, (ctx) => showAccessCode(ctx, OWNER))).toBe('kitten');
  const { stdout } = await hearth(['pause', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ needs_access_code: true });
  expect(stdout).not.toContain('kitten');
  await hearth(['resume']);
  const off = await hearth(['access-code', 'off', '--json']);
  expect(JSON.parse(off.stdout)).toEqual({ access_code: null });
  expect((await hearth(['access-code', 'show'])).stdout).toBe('No access code is needed\n');
});

test.each(['short', 'two words', 'naïve code'])(
  '[MO16, MO20] %p is refused as an access code',
  async (code) => {
    const { code: exitCode, stderr } = await hearth(['access-code', 'set', code]);
    expect(exitCode).toBe(2);
    expect(stderr).toStartWith(
      'hearth: the code must have 6 to 64 characters: ASCII without spaces\n',
    );
  },
);

test('[MO22] the terminal takes the code from a flag, the address or the environment, and says if it lacks one', async () => {
  await hearth(['access-code', 'set', CODE]);
  await untilNeeded(true);
  const { rest } = instance.addresses;
  const send = (flags: readonly string[], env = {}, url = rest) =>
    hearth(['send', url, 'hello', '--name', 'ada', ...flags], env);
  const done = { code: 0, stdout: '', stderr: '' };
  expect(await send(['--access-code', CODE])).toEqual(done);
  expect(await send([], { HEARTH_ACCESS_CODE: CODE })).toEqual(done);
  const link = `${rest}/#code=${encodeURIComponent(CODE)}`;
  expect(await send([], {}, link)).toEqual(done);
  expect(await send([], { HEARTH_ACCESS_CODE: 'another' }, link)).toEqual(done);
  expect(await send(['--access-code', CODE], { HEARTH_ACCESS_CODE: 'another' })).toEqual(done);
  expect(await send([])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'hearth: the server needs its access code: use --access-code, an address with #code= or HEARTH_ACCESS_CODE\n',
  });
  expect(await send(['--access-code', 'another'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'hearth: this server needs its access code, and the request has none or a wrong one\n',
  });
  await hearth(['access-code', 'off']);
  await untilNeeded(false);
  expect(await send([])).toEqual(done);
});
