import { connect } from '@hearth/sdk';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { HEARTH } from '@hearth/testing/programs/hearth-process';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { ChatTerminal, CTRL_C, ENTER, UP } from './support/chat-terminal.ts';
import { Home } from './support/home.ts';

const PASSWORD = 'correct horse battery';

let instance: TestInstance;
let home: Home;

beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  home = await Home.make();
  await using ada = await connect(instance.addresses.rest);
  await ada.register({ username: 'ada', email: 'ada@example.org', password: PASSWORD });
});

afterAll(async () => {
  await home[Symbol.asyncDispose]();
  await instance[Symbol.asyncDispose]();
});

function loginOnTerminal() {
  const command = [...HEARTH, 'login', instance.addresses.rest];
  const env = { XDG_CONFIG_HOME: home.folder };
  return home.launch({ command, folder: home.folder, env, on: 'terminal' });
}

test('[OP60] on a terminal, login asks for the name and the password, which is not shown', async () => {
  const login = loginOnTerminal();
  await login.stdout.until((text) => text.includes('Name or email address: '));
  login.type(`ada${ENTER}`);
  await login.stdout.until((text) => text.includes('Password: '));
  login.type(`something else${ENTER}`);
  await login.stdout.until((text) => text.includes('the name or the password is wrong'));
  // The arrow key brings nothing back.
  login.type(`${UP}correct horse batteryx\u007f${ENTER}`);
  const { exitCode, stdout } = await login.ended;
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Signed in to Hearth as ada')]);
  expect(stdout).toContain('Name or email address: ada');
  expect(stdout).not.toMatch(/something|correct|battery/);

  const env = { XDG_CONFIG_HOME: home.folder };
  const chat = new ChatTerminal(home, [instance.addresses.rest], { env });
  await chat.seesPrompt('ada> |');
  chat.type(`/nick bob${ENTER}`);
  await chat.seesRow('you are signed in as ada: --as-guest takes other names');
  chat.type(`good evening${ENTER}`);
  await chat.seesRow('ada: good evening');
});

test('[OP60] Ctrl-C ends the login', async () => {
  const login = loginOnTerminal();
  await login.stdout.until((text) => text.includes('Name or email address: '));
  login.type(`ada${ENTER}`);
  await login.stdout.until((text) => text.includes('Password: '));
  login.type(`secret${CTRL_C}`);
  const { exitCode, stdout } = await login.ended;
  expect([exitCode, stdout]).toEqual([1, expect.not.stringContaining('secret')]);
});

test('[OP63] tail and chat end if the session ends, and do not go on as a guest', async () => {
  const { rest } = instance.addresses;
  const env = { XDG_CONFIG_HOME: home.path('config') };
  const signIn = async () => {
    const words = ['login', rest, '--user', 'ada', '--json'];
    await home.runHere(words, { ...env, HEARTH_PASSWORD: PASSWORD });
  };
  await using ada = await connect(rest);
  await ada.signIn({ username: 'ada', password: PASSWORD });
  const ending = {
    exitCode: 1,
    stdout: '',
    stderr: 'hearth: your session has ended: sign in again with hearth login\n',
  };
  const isConnected = async (count: number) => (await ada.rest.countOnline()) === count;

  await signIn();
  const tail = home.hearth(['tail', rest], env);
  await until(() => isConnected(1));
  await ada.sessions.endOthers();
  expect(await tail.ended).toEqual(ending);
  expect(await readdir(home.path('config/hearth/sessions'))).toEqual([]);

  await signIn();
  await ada.sessions.endOthers();
  expect(await home.runHere(['tail', rest], env)).toEqual(ending);

  await signIn();
  const chat = home.here(['chat', rest], env);
  await until(() => isConnected(1));
  await ada.sessions.endOthers();
  const { exitCode, stderr } = await chat.ended;
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(ending.stderr)]);
});
