import { connect, memoryTokens, type Client } from '@hearth/sdk';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { tempFolder, type TempFolder } from '@hearth/testing/temp-folder';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { run } from '../run.ts';
import { SessionFiles } from './session-files.ts';
import { sessionsFor, StoredTokens } from './stored-tokens.ts';

const PASSWORD = 'correct horse battery';
const DONE = { code: 0, stdout: '', stderr: '' };

let instance: TestInstance;
let ada: Client;
let config: TempFolder;

beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  ada = await connect(instance.addresses.rest);
  await ada.register({ username: 'ada', email: 'ada@example.org', password: PASSWORD });
});

afterAll(async () => {
  await ada.close();
  await instance[Symbol.asyncDispose]();
});

beforeEach(async () => {
  config = await tempFolder();
});

afterEach(() => config[Symbol.asyncDispose]());

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs the command line in this process, as somebody whose settings are in `config`. */
async function hearth(words: readonly string[], { env = {}, input = '' }: Surroundings = {}) {
  const written = { stdout: '', stderr: '' };
  const { stdout, stderr } = process;
  // Guarantee: only its lines are read.
  const stdin = Readable.from([Buffer.from(input)]) as unknown as typeof process.stdin;
  const code = await run(words, {
    env: { LOG_LEVEL: 'silent', XDG_CONFIG_HOME: config.path, ...env },
    workingDir: config.path,
    print: (text) => (written.stdout += text),
    warn: (text) => (written.stderr += text),
    streams: { stdin, stdout, stderr },
    listenForStop: () => AbortSignal.abort(),
  });
  return { code, ...written };
}

const rest = () => instance.addresses.rest;
const login = (words: readonly string[] = [], given: Surroundings = { input: `${PASSWORD}\n` }) =>
  hearth(['login', rest(), '--user', 'ada', ...words], given);

const folder = () => join(config.path, 'hearth', 'sessions');
const fileNames = () => readdir(folder()).catch(() => []);

async function stored(): Promise<{ readonly path: string; readonly token: string }> {
  const [name = ''] = await fileNames();
  const path = join(folder(), name);
  const { token } = JSON.parse(await readFile(path, 'utf8')) as { token: string };
  return { path, token };
}

/** Ends the session that is stored, from elsewhere. */
async function endStored(): Promise<void> {
  const { token } = await stored();
  await using client = await connect(rest(), { tokens: memoryTokens(token) });
  await client.signOut();
}

async function lastMessage() {
  const [message] = await ada.rest.listMessages({ limit: 1 });
  return message;
}

describe('[OP60] login', () => {
  test.each<readonly [string, readonly string[], Surroundings]>([
    ['a flag and standard input', ['--user', 'ada'], { input: `${PASSWORD}\n` }],
    ['the email address', ['--user', 'ada@example.org'], { input: PASSWORD }],
    ['the environment', [], { env: { HEARTH_USER: 'ada', HEARTH_PASSWORD: PASSWORD } }],
  ])('login takes the name and the password from %s', async (_what, words, given) => {
    expect(await hearth(['login', rest(), ...words], given)).toEqual({
      ...DONE,
      stdout: 'Signed in to Hearth as ada\n',
    });
    expect(await hearth(['whoami', rest()])).toEqual({ ...DONE, stdout: 'ada on Hearth\n' });
  });

  test('login prints JSON without the token', async () => {
    const { stdout } = await login(['--json']);
    const found = { instance_url: rest(), instance_name: 'Hearth', username: 'ada' };
    expect(JSON.parse(stdout)).toEqual(found);
  });

  test.each([
    ['a wrong password', 'something else\n', 'hearth: the name or the password is wrong\n'],
    ['no password', '', 'hearth: the password is missing\n'],
  ])('login stores nothing with %s', async (_what, input, stderr) => {
    expect(await login([], { input })).toEqual({ code: 1, stdout: '', stderr });
    expect(await fileNames()).toEqual([]);
  });

  test('login without a name is misuse if nobody can be asked', async () => {
    const { code, stderr } = await hearth(['login', rest()], { input: PASSWORD });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^hearth: missing --user <name>\n/)]);
  });

  test('login lists the session as one of the terminal, and ends the one that it replaces', async () => {
    await login();
    const { token } = await stored();
    await login();
    const sessions = await ada.sessions.list();
    const programs = sessions.map(({ client }) => client?.name);
    expect(programs.filter((name) => name === 'Hearth terminal').length).toBeGreaterThan(0);
    await using former = await connect(rest(), { tokens: memoryTokens(token) });
    await expect(former.me()).rejects.toMatchObject({ code: 'token_ended' });
    expect(await fileNames()).toHaveLength(1);
  });
});

describe('[OP61] the session is stored', () => {
  test('in a file that only its owner can read, in a folder that only its owner can open', async () => {
    await login();
    const { path } = await stored();
    const modes = [path, folder()].map(async (each) => (await stat(each)).mode & 0o777);
    expect(await Promise.all(modes)).toEqual([0o600, 0o700]);
  });

  test('below ~/.config without XDG_CONFIG_HOME, or with one that is not absolute', async () => {
    for (const given of ['', 'relative']) {
      const env = { XDG_CONFIG_HOME: given, HOME: config.path };
      await login([], { input: PASSWORD, env });
      expect(await readdir(join(config.path, '.config/hearth/sessions'))).toHaveLength(1);
      expect((await hearth(['logout', rest()], { env })).code).toBe(0);
    }
  });

  test('for its address only, each instance in a file of its own', async () => {
    await using other = await startTestInstance({
      toml: `registration = "open"\n${GENEROUS_LIMITS}`,
    });
    await login();
    const url = other.addresses.rest;
    expect(await hearth(['whoami', url])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'hearth: you are not signed in to Hearth\n',
    });
    await using eve = await connect(url);
    await eve.register({ username: 'eve', email: 'eve@example.org', password: PASSWORD });
    await hearth(['login', url, '--user', 'eve'], { input: PASSWORD });
    expect(await fileNames()).toHaveLength(2);
    const all = await hearth(['whoami', '--json']);
    const lines = all.stdout.trim().split('\n');
    const found = lines.map((line) => JSON.parse(line) as { username: string });
    expect(found.map(({ username }) => username).toSorted()).toEqual(['ada', 'eve']);
    expect(all.stdout).not.toContain((await stored()).token);
    expect((await hearth(['whoami'])).stdout).toMatch(
      /^NAME +SERVER +ADDRESS\n(?:ada|eve) +Hearth/,
    );
  });

  test('for the address at which it was got, even if another one names the same instance', async () => {
    await login();
    const { path } = await stored();
    const session = JSON.parse(await readFile(path, 'utf8')) as object;
    await writeFile(
      path,
      JSON.stringify({ ...session, origins: ['http://elsewhere.example.org'] }),
    );
    expect((await hearth(['whoami', rest()])).code).toBe(1);
    await writeFile(path, JSON.stringify(session));
    expect((await hearth(['whoami', rest()])).code).toBe(0);
  });

  test('and ignored with a warning if others can read it, or if it holds no session', async () => {
    await login();
    const { path } = await stored();
    await chmod(path, 0o644);
    const open = await hearth(['whoami', rest()]);
    expect([open.code, open.stderr]).toEqual([1, expect.stringContaining(`chmod 600 ${path}`)]);
    await chmod(path, 0o600);
    await writeFile(path, '{}');
    const empty = await hearth(['whoami', rest()]);
    expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('holds no session')]);
  });
});

describe('[OP62] signed in,', () => {
  test('messages and uploads are those of the account, and the lists are read with it', async () => {
    await login();
    expect(await hearth(['send', rest(), 'good evening'])).toEqual(DONE);
    expect(await lastMessage()).toMatchObject({ author: 'ada', content: 'good evening' });
    await writeFile(join(config.path, 'a.txt'), 'a');
    const upload = await hearth(['upload', rest(), 'a.txt', '--say']);
    expect(await lastMessage()).toMatchObject({ author: 'ada', content: upload.stdout.trim() });
  });

  test.each([
    ['--name', ['--name', 'bob']],
    ['--as-guest and --name', ['--as-guest', '--name', 'bob']],
  ])('%s writes as a guest', async (_what, flags) => {
    await login();
    await endStored();
    // The token would be refused.
    expect(await hearth(['send', rest(), 'hello', ...flags])).toEqual(DONE);
    expect(await lastMessage()).toMatchObject({ author: 'bob' });
  });

  test('--as-guest without a name is misuse, as is a message without an account', async () => {
    const missing = [2, expect.stringMatching(/^hearth: missing --name <name>\n/)];
    const guest = await hearth(['send', rest(), 'hello']);
    expect([guest.code, guest.stderr]).toEqual(missing);
    await login();
    const { code, stderr } = await hearth(['send', rest(), 'hello', '--as-guest']);
    expect([code, stderr]).toEqual(missing);
    const chat = await hearth(['chat', rest(), '--as-guest']);
    expect([chat.code, chat.stderr]).toEqual(missing);
  });
});

test('[OP63] a token that has ended is reported in plain words and removed', async () => {
  await login();
  await endStored();
  expect(await hearth(['send', rest(), 'hello'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'hearth: your session has ended: sign in again with hearth login\n',
  });
  expect(await fileNames()).toEqual([]);
  expect((await hearth(['send', rest(), 'hello', '--name', 'bob'])).code).toBe(0);
});

test('[OP63] a program goes on with a newer token of its account, and never with that of another account', async () => {
  await login();
  const files = new SessionFiles({
    env: { XDG_CONFIG_HOME: config.path },
    warn: () => expect.unreachable(),
  });
  const [session = expect.unreachable()] = await sessionsFor(rest(), files);
  const tokens = new StoredTokens(files, [session]);
  tokens.choose(ada.info);
  await files.write({ ...session, token: 'a newer token' });
  expect(await tokens.read(session.token)).toBe('a newer token');
  await files.write({ ...session, username: 'bob', token: 'the token of bob' });
  expect(await tokens.read('a newer token')).toBeUndefined();
  await tokens.write(undefined);
  expect(await files.find(session.rest)).toMatchObject({ username: 'bob' });
});

test('[OP63] if the token is refused while several files are sent, none is uploaded as a guest', async () => {
  await login();
  await endStored();
  for (const name of ['a.txt', 'b.txt']) await writeFile(join(config.path, name), name);
  expect(await hearth(['upload', rest(), 'a.txt', 'b.txt'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'hearth: your session has ended: sign in again with hearth login\n',
  });
});

describe('[OP64] logout', () => {
  test('logout ends the session and removes its token', async () => {
    await login();
    const { token } = await stored();
    expect(await hearth(['logout', rest()])).toEqual({
      ...DONE,
      stdout: 'Signed out of Hearth\n',
    });
    expect(await fileNames()).toEqual([]);
    await using client = await connect(rest(), { tokens: memoryTokens(token) });
    await expect(client.me()).rejects.toMatchObject({ code: 'token_ended' });
    expect(await hearth(['logout', rest()])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'hearth: you are not signed in to Hearth\n',
    });
  });

  test('logout removes the token of an instance that cannot be reached', async () => {
    const other = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
    const url = other.addresses.rest;
    await using eve = await connect(url);
    await eve.register({ username: 'eve', email: 'eve@example.org', password: PASSWORD });
    await hearth(['login', url, '--user', 'eve'], { input: PASSWORD });
    await eve.close();
    await other[Symbol.asyncDispose]();
    const { code, stderr } = await hearth(['logout', url]);
    expect(code).toBe(1);
    expect(stderr).toContain('the token for Hearth was removed, but its session may go on\n');
    expect(await fileNames()).toEqual([]);
  });
});
