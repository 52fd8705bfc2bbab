import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './environment.ts';
import { exampleInstanceFile } from './example-files.ts';
import { ConfigError, loadConfig } from './load-config.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-load-config-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

test('[OP1] a commented instance file is written if there is none, with the same settings', async () => {
  const first = await load({});
  expect(first.wroteInstanceFile).toBe(true);
  expect(await text('instance.toml')).toBe(exampleInstanceFile());
  const second = await load({});
  expect(second).toEqual({ config: first.config, wroteInstanceFile: false });
});

test('no instance file is written unless it is requested', async () => {
  const { config, wroteInstanceFile } = await loadConfig({
    env: {},
    workingDir: folder,
    writeMissingFile: false,
  });
  expect(wroteInstanceFile).toBe(false);
  expect(config.settings.instanceName).toBe('Hearth');
  expect(await readdir(folder)).toEqual([]);
});

test('[OP1] an instance file is never overwritten', async () => {
  await writeFile(join(folder, 'instance.toml'), 'instance_name = "Home"');
  const { config, wroteInstanceFile } = await load({});
  expect(config.settings.instanceName).toBe('Home');
  expect(wroteInstanceFile).toBe(false);
  expect(await text('instance.toml')).toBe('instance_name = "Home"');
});

test('the instance file is written once if several starts find none', async () => {
  const results = await Promise.all([load({}), load({}), load({})]);
  expect(results.filter(({ wroteInstanceFile }) => wroteInstanceFile)).toHaveLength(1);
  expect(await text('instance.toml')).toBe(exampleInstanceFile());
});

test('[OP1] the start continues without a file if none can be written', async () => {
  const missing = join(folder, 'missing');
  const { config, wroteInstanceFile } = await loadConfig({
    env: {},
    workingDir: missing,
    writeMissingFile: true,
  });
  expect(wroteInstanceFile).toBe(false);
  expect(config.deployment.instanceFile).toBe(join(missing, 'instance.toml'));
});

test('a dangling link is not written through', async () => {
  await symlink('elsewhere.toml', join(folder, 'instance.toml'));
  expect(await mistakesOf({})).toEqual([
    'instance.toml: cannot be read: it is a link to a file that does not exist',
  ]);
  expect(await readdir(folder)).toEqual(['instance.toml']);
});

test('[CF2] an INSTANCE_CONF that does not exist is a mistake, and no file is written there', async () => {
  expect(await mistakesOf({ INSTANCE_CONF: 'conf.toml' })).toEqual([
    'INSTANCE_CONF: expected the path of an instance file, got "conf.toml", which does not exist',
  ]);
  expect(await readdir(folder)).toEqual([]);
});

test('[CF2] an INSTANCE_CONF that does not exist is a mistake even if it is the default path', async () => {
  expect(await mistakesOf({ INSTANCE_CONF: './instance.toml' })).toHaveLength(1);
});

test('[CF1] INSTANCE_CONF is read relative to the working directory', async () => {
  await writeFile(join(folder, 'home.toml'), 'instance_name = "Home"');
  const { config } = await load({ INSTANCE_CONF: 'home.toml', DATA_DIR: 'state' });
  expect(config.settings.instanceName).toBe('Home');
  expect(config.deployment.instanceFile).toBe(join(folder, 'home.toml'));
  expect(config.deployment.dataDir).toBe(join(folder, 'state'));
  expect(config.deployment.instanceFileGiven).toBe(true);
});

test('[CF7] mistakes of the environment and the file are listed together, with the path as it was given', async () => {
  await writeFile(join(folder, 'home.toml'), 'instance_name = ""\n[oprish]\nmessage_limit = 0');
  const mistakes = await mistakesOf({ INSTANCE_CONF: './home.toml', EFFIS_PORT: '7159' });
  expect(mistakes).toEqual([
    'OPRISH_PORT and EFFIS_PORT: expected a different port for each, got 7159 for 2 of them',
    './home.toml: instance_name: expected text of at least 1 character, got ""',
    './home.toml: oprish.message_limit: expected a whole number from 1 to 1000000, got 0',
  ]);
});

test('[CF2] no instance file is written if the environment is invalid', async () => {
  expect(await mistakesOf({ LOG_LEVEL: 'loud' })).toHaveLength(1);
  expect(await readdir(folder)).toEqual([]);
});

test('[CF13] variables that are unknown or have no effect are reported even if the configuration is invalid', async () => {
  const lines: string[] = [];
  const env = { OPRISH_PROT: '7000', LOG_LEVEL: 'loud', MAIL_FROM: 'home@example.org' };
  const onWarning = (line: string) => void lines.push(line);
  const loading = loadConfig({ env, workingDir: folder, writeMissingFile: false, onWarning });
  await expect(loading).rejects.toThrow(ConfigError);
  expect(lines).toEqual([
    'OPRISH_PROT: unknown variable, did you mean OPRISH_PORT?',
    'MAIL_FROM: has no effect without SMTP_URL, so the instance sends no mail',
  ]);
});

test('the error has every mistake on its own line', async () => {
  const error = await failure({ LOG_LEVEL: 'loud', HOST: '*' });
  expect(error.message).toBe(error.mistakes.join('\n'));
  expect(error.mistakes).toHaveLength(2);
});

function load(env: Environment) {
  return loadConfig({ env, workingDir: folder, writeMissingFile: true });
}

async function mistakesOf(env: Environment): Promise<readonly string[]> {
  return (await failure(env)).mistakes;
}

async function failure(env: Environment): Promise<ConfigError> {
  try {
    await load(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the configuration was loaded');
}

function text(name: string): Promise<string> {
  return readFile(join(folder, name), 'utf8');
}
