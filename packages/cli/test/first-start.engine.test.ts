import { signedInSchema } from '@hearth/protocol/schemas';
import { HEARTH, type HearthProcess } from '@hearth/testing/programs/hearth-process';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { Home } from './support/home.ts';

const ENTER = '\r';

let home: Home;
beforeEach(async () => {
  home = await Home.make();
});
afterEach(() => home[Symbol.asyncDispose]());

const startOnTerminal = () =>
  home.launch({
    command: [...HEARTH, 'start'],
    folder: home.folder,
    env: home.ports,
    on: 'terminal',
  });

const codeIn = (text: string) => /#invite=(\w{12})\b|^ *(\w{12})$/m.exec(text)?.slice(1).join('');

async function stopped(instance: HearthProcess): Promise<string> {
  const { exitCode, stdout, stderr } = await instance.stop();
  expect(exitCode).toBe(0);
  // The code is in no log.
  const code = codeIn(stdout);
  if (code !== undefined && code !== '') expect(stderr).not.toContain(code);
  return stdout;
}

test('[AC52] start prints the invite of the owner until it is used, and only in what it prints for the owner', async () => {
  const first = await stopped(await home.start());
  expect(first).toContain("Nobody has the owner's account yet, which may do everything here.");
  expect(first).toContain('hearth users create <name> --owner');
  const code = codeIn(first) ?? '';
  expect(code).toMatch(/^[1-9A-HJ-NP-Za-km-z]{12}$/);

  const again = await home.start({ LOG_LEVEL: 'trace' });
  const body = { username: 'ada', email: 'ada@example.org', password: 'correct horse battery' };
  const answer = await fetch(`${home.addresses.rest}/users`, {
    method: 'POST',
    body: JSON.stringify({ ...body, invite: code }),
  });
  const { user } = signedInSchema.parse(await answer.json());
  expect(user.staff_permissions).toContain('MANAGE_INSTANCE');
  expect(codeIn(await stopped(again))).toBe(code);

  expect(await stopped(await home.start())).not.toContain("owner's account");
});

test('[AC62] a first start on a terminal asks who may come in and use the lobby, writes the answers into the instance file and prints them', async () => {
  const instance = startOnTerminal();
  const asked = (text: string, times: number) => text.split('Number [1]: ').length > times;
  await instance.stdout.until((text) => asked(text, 1));
  instance.type(`anyone${ENTER}`);
  await instance.stdout.until((text) => text.includes('Please answer with a number from 1 to 5: '));
  instance.type(`3${ENTER}`);
  await instance.stdout.until((text) => asked(text, 2));
  instance.type(`accounts${ENTER}`);
  await instance.started();
  const capabilities = await fetch(`${home.addresses.rest}/capabilities`);
  expect(await capabilities.json()).toMatchObject({ registration: 'approval', lobby: 'accounts' });
  const { exitCode, stdout } = await instance.stop();
  expect(exitCode).toBe(0);
  expect(stdout).toContain('1  People with an invite (any member can invite)');
  expect(stdout).toMatch(/who comes in +People whom you approve/);
  expect(stdout).toMatch(/lobby +People with an account/);
  const written = await readFile(home.path('instance.toml'), 'utf8');
  expect(written).toContain('\nregistration = "approval"\n');
  expect(written).toContain('\nlobby = "accounts"\n');

  const again = startOnTerminal();
  await again.started();
  expect((await again.stop()).stdout).not.toContain('Number [1]');
});

test('[AC62] a first start that is cancelled at the question writes nothing', async () => {
  const instance = startOnTerminal();
  await instance.stdout.until((text) => text.includes('Number [1]: '));
  instance.signal('SIGINT');
  expect((await instance.ended).exitCode).toBe(1);
  expect(await home.names()).toEqual([]);
});
