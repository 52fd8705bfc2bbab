import { named } from '@hearth/testing/instances/named';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdir } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { HEARTH } from '@hearth/testing/programs/hearth-process';
import { Home } from './support/home.ts';
import { get, isRefused, readInfo } from './support/talk.ts';

const ADDRESSES = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
/** An address at which other machines can reach this one. */
const OUTER = ADDRESSES.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
const HAS_IPV6 = ADDRESSES.some(({ address }) => address === '::1');

let home: Home;

beforeEach(async () => {
  home = await Home.make();
});

afterEach(() => home[Symbol.asyncDispose]());

test('[CF1][SV3] the help of the start shows every variable and its default', async () => {
  const { exitCode, stdout } = await home.runHere(['start', '--help']);
  expect(exitCode).toBe(0);
  const words = stdout.replaceAll(/\s+/g, ' ');
  for (const [variable, fallback] of [
    ['INSTANCE_CONF', './instance.toml'],
    ['DATA_DIR', './data'],
    ['HOST', '127.0.0.1'],
    ['OPRISH_PORT', '7159'],
    ['PANDEMONIUM_PORT', '7160'],
    ['EFFIS_PORT', '7161'],
    ['WEB_PORT', '7162'],
    ['TRUSTED_PROXIES', 'none'],
    ['LOG_LEVEL', 'info'],
  ]) {
    expect(words).toMatch(new RegExp(` ${variable} [^()]+ \\(default: ${fallback}\\)`));
  }
});

test('[CF1] INSTANCE_CONF and DATA_DIR set the places of the instance file and the data', async () => {
  await mkdir(home.path('conf'));
  await home.write('conf/home.toml', 'instance_name = "Elsewhere"');
  await home.write('instance.toml', 'instance_name = "Not this one"');
  await home.startHere({ INSTANCE_CONF: 'conf/home.toml', DATA_DIR: home.path('var/lib/hearth') });
  expect((await readInfo(home.addresses.rest)).instance_name).toBe('Elsewhere');
  expect(await home.names()).toEqual(['conf', 'instance.toml', 'var']);
});

test('[CF1] a start reads the .env file of its working directory', async () => {
  await home.write('.env', dotenv({ ...home.ports, DATA_DIR: './kept here' }));
  const launched = home.launch({ command: [...HEARTH, 'start'], folder: home.folder, env: {} });
  await launched.started();
  expect((await readInfo(home.addresses.rest)).effis_url).toBe(home.addresses.files);
  expect(await home.names()).toContain('kept here');
});

test('[CF1] every command reads the .env file, and the environment overrides it', async () => {
  await home.write('.env', dotenv({ DATA_DIR: './from the file', LOG_LEVEL: 'nonsense' }));
  await home.write('a.txt', 'a');
  const { exitCode } = await home.run(['static', 'add', 'a.txt'], { LOG_LEVEL: 'info' });
  expect(exitCode).toBe(0);
  expect(await home.names()).toEqual(['.env', 'a.txt', 'from the file']);
});

test('[CF13] a start and a command warn about variables that Hearth does not read, and continue', async () => {
  await home.write('.env', 'HEARTH_DATABASE_URL="postgres://ada:secret@db/hearth"\n');
  const lines =
    'hearth: warning: HEARTH_DATABASE_URL: unknown variable, did you mean DATABASE_URL?\n' +
    'hearth: warning: EFFIS_PROT: unknown variable, did you mean EFFIS_PORT?\n';
  const env = { EFFIS_PROT: '1234', LOG_LEVEL: 'silent' };
  const instance = await home.start(env);
  const { exitCode, stderr } = await instance.stop();
  expect(exitCode).toBe(0);
  expect(sorted(stderr)).toEqual(sorted(lines));
  const listed = await home.run(['static', 'list', '--json'], env);
  expect({ ...listed, stderr: sorted(listed.stderr) }).toEqual({
    exitCode: 0,
    stdout: '[]\n',
    stderr: sorted(lines),
  });
});

test('[CF1] a .env file in another folder is not read', async () => {
  await mkdir(home.path('inner'));
  await home.write('.env', 'LOG_LEVEL=nonsense');
  const command = [...HEARTH, 'static', 'add', await home.write('a.txt', 'a')];
  const launched = home.launch({ command, folder: home.path('inner'), env: {} });
  expect((await launched.ended).exitCode).toBe(0);
});

test.skipIf(OUTER === undefined)(
  '[CF1] HOST decides who can reach the instance: this machine alone, or others too',
  async () => {
    const urls = Object.values(home.addresses).map((url) => url.replace('127.0.0.1', `${OUTER}`));
    const instance = await home.startHere();
    for (const url of urls) expect(await isRefused(url)).toBe(true);
    await instance.stop();
    await home.startHere({ HOST: '0.0.0.0' });
    for (const url of urls) expect(await isRefused(url)).toBe(false);
  },
);

test.each([['0.0.0.0', '127.0.0.1'], ...(HAS_IPV6 ? [['::', 'localhost']] : [])])(
  '[CF6] an instance that listens on all addresses, %s, answers with the address on this machine, %s',
  async (everywhere, here) => {
    const { OPRISH_PORT, PANDEMONIUM_PORT, EFFIS_PORT } = home.ports;
    await home.startHere({ HOST: `${everywhere}` });
    expect(await readInfo(home.addresses.rest)).toMatchObject({
      oprish_url: `http://${here}:${OPRISH_PORT}`,
      pandemonium_url: `ws://${here}:${PANDEMONIUM_PORT}`,
      effis_url: `http://${here}:${EFFIS_PORT}`,
    });
  },
);

test.skipIf(!HAS_IPV6)('[CF1][CF6] an instance listens on an IPv6 address', async () => {
  const { OPRISH_PORT, PANDEMONIUM_PORT, EFFIS_PORT } = home.ports;
  await home.startHere({ HOST: '::1' });
  expect(await readInfo(`http://[::1]:${OPRISH_PORT}`)).toMatchObject({
    oprish_url: `http://[::1]:${OPRISH_PORT}`,
    pandemonium_url: `ws://[::1]:${PANDEMONIUM_PORT}`,
    effis_url: `http://[::1]:${EFFIS_PORT}`,
  });
  expect(await isRefused(home.addresses.rest)).toBe(true);
});

test('[CF1] TRUSTED_PROXIES decides which proxies may name the client', async () => {
  await home.write('instance.toml', named('oprish.rate_limits.info.limit = 1'));
  const { rest } = home.addresses;
  const first = await home.startHere();
  await readInfo(rest, { 'X-Real-IP': '203.0.113.1' });
  await expect(readInfo(rest, { 'X-Real-IP': '203.0.113.2' })).rejects.toThrow('429');
  await first.stop();
  await home.startHere({ TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.0/8' });
  await readInfo(rest, { 'X-Real-IP': '203.0.113.1' });
  await readInfo(rest, { 'X-Real-IP': '203.0.113.2' });
  await expect(readInfo(rest, { 'X-Real-IP': '203.0.113.2' })).rejects.toThrow('429');
});

test('[CF1] LOG_LEVEL decides how much is logged', async () => {
  const levelsAt = async (level: string) => {
    const instance = await home.start({ LOG_LEVEL: level });
    expect((await get(`${home.addresses.rest}/nothing`)).status).toBe(404);
    await instance.stop();
    return new Set(instance.stderr.entries.map((entry) => entry['level']));
  };
  expect(await levelsAt('silent')).toEqual(new Set());
  expect(await levelsAt('error')).toEqual(new Set());
  expect(await levelsAt('info')).toEqual(new Set([30]));
  expect(await levelsAt('debug')).toEqual(new Set([30, 20]));
});

test('[CF2] an INSTANCE_CONF that is not a file stops the start with a line that names it', async () => {
  const { exitCode, stderr } = await home.runHere(['start'], { INSTANCE_CONF: '.' });
  expect(exitCode).toBe(1);
  expect(stderr).toBe('hearth: INSTANCE_CONF: .: expected a file, got a directory\n');
});

test('[CF2] an INSTANCE_CONF that does not exist stops every command with a line that names it', async () => {
  for (const words of [['start'], ['static', 'list'], ['attachments', 'list']]) {
    const { exitCode, stdout, stderr } = await home.runHere(words, {
      INSTANCE_CONF: 'nowhere.toml',
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^hearth: INSTANCE_CONF: [^\n]*"nowhere\.toml"[^\n]*\n$/);
  }
  expect(await home.names()).toEqual([]);
});

test('[CF2] every malformed variable is named, each on its own line', async () => {
  const { exitCode, stdout, stderr } = await home.run(['start'], {
    HOST: 'http://localhost',
    OPRISH_PORT: '0',
    PANDEMONIUM_PORT: '65536',
    EFFIS_PORT: '71 61',
    WEB_PORT: 'on',
    TRUSTED_PROXIES: '10.0.0.0/8,everyone',
    LOG_LEVEL: 'loud',
    INSTANCE_CONF: 'nowhere.toml',
  });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  const lines = stderr.trimEnd().split('\n');
  expect(lines.map((line) => /^hearth: ([A-Z_]+): expected .+/.exec(line)?.[1]).toSorted()).toEqual(
    [
      'EFFIS_PORT',
      'HOST',
      'INSTANCE_CONF',
      'LOG_LEVEL',
      'OPRISH_PORT',
      'PANDEMONIUM_PORT',
      'TRUSTED_PROXIES',
      'WEB_PORT',
    ],
  );
  expect(await home.names()).toEqual([]);
});

test.each([
  'OPRISH_PORT and PANDEMONIUM_PORT',
  'OPRISH_PORT and EFFIS_PORT',
  'OPRISH_PORT and PANDEMONIUM_PORT and EFFIS_PORT',
  'EFFIS_PORT and WEB_PORT',
])('[CF2] variables that contradict each other are named: %s', async (variables) => {
  const shared = Object.fromEntries(variables.split(' and ').map((name) => [name, '7199']));
  const { exitCode, stdout, stderr } = await home.runHere(['start'], shared);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(new RegExp(`^hearth: ${variables}: [^\\n]*7199[^\\n]*\\n$`));
  expect(await home.names()).toEqual([]);
});

test.each(['192.0.2.1', 'nowhere.invalid'])(
  '[CF2] a HOST that is not an address of this machine stops the start with a line that names it: %s',
  async (host) => {
    const { exitCode, stdout, stderr } = await home.runHere(['start'], { HOST: host });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^hearth: HOST: [^\n]*\n$/);
  },
);

/** The lines of a text; a process lists its variables in any order. */
function sorted(text: string): readonly string[] {
  return text.split('\n').toSorted();
}

/** The text of a .env file. */
function dotenv(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}="${value}"\n`)
    .join('');
}
