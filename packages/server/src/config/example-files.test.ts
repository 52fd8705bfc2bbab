import { named } from '@hearth/testing/instances/named';
import { expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ENVIRONMENT_OPTIONS } from './environment-options.ts';
import { readEnvironment } from './environment.ts';
import { environmentHelp, exampleEnvironmentFile, exampleInstanceFile } from './example-files.ts';
import { parseInstanceFile } from './instance-file.ts';
import { INSTANCE_OPTIONS } from './instance-options.ts';
import type { Option, OptionTree } from './option.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const UPDATE =
  'The options have changed: run `bun run examples`, and commit the files that it writes.';
const KEY_LINE = /^# ([a-z_]+ = .*)$/;
const VARIABLE_LINE = /^# ([A-Z_]+)=(.*)$/;

test('[CF10] the committed example files match the options', async () => {
  const instance = await readFile(resolve(ROOT, 'instance.example.toml'), 'utf8');
  expect(instance, UPDATE).toBe(exampleInstanceFile());
  const environment = await readFile(resolve(ROOT, '.env.example'), 'utf8');
  expect(environment, UPDATE).toBe(exampleEnvironmentFile());
});

test('[CF10] the example instance file has the defaults', () => {
  const example = parseInstanceFile(exampleInstanceFile(), 'instance.toml');
  expect(example.state).toBe('read');
  expect(example).toEqual(parseInstanceFile(named(''), 'instance.toml'));
});

test('[CF10] the example instance file has every option, with its sentence and its default', () => {
  const lines = exampleInstanceFile().split('\n');
  const options = optionsOf(INSTANCE_OPTIONS);
  const keys = lines.filter((line) => KEY_LINE.test(line) || /^[a-z_]+ = /.test(line));
  expect(keys).toHaveLength(options.length);
  const prose = proseOf(exampleInstanceFile());
  for (const { about, type } of options) expect(prose).toContain(`${about} (${type.expected}).`);
});

test('[CF10] uncommenting a line with a default keeps the file valid and changes nothing', () => {
  const lines = exampleInstanceFile().split('\n');
  const defaults = parseInstanceFile(named(''), 'instance.toml');
  const commented = lines.filter((line) => KEY_LINE.test(line));
  expect(commented.length).toBeGreaterThan(20);
  for (const [index, line] of lines.entries()) {
    const [, key] = KEY_LINE.exec(line) ?? [];
    if (key === undefined) continue;
    const file = parseInstanceFile(lines.with(index, key).join('\n'), 'instance.toml');
    expect(file.state).toBe('read');
    if (!/^(url|public_url|description|registration_question|icon|accent|total_size) /.test(key))
      expect(file).toEqual(defaults);
  }
});

test('[CF10] the file stays valid if every line is uncommented', () => {
  const text = exampleInstanceFile().replaceAll(new RegExp(KEY_LINE, 'gm'), '$1');
  expect(parseInstanceFile(text, 'instance.toml')).toMatchObject({
    state: 'read',
    settings: {
      description: 'A home for our community',
      publicUrl: 'https://chat.example.org',
      rest: { url: 'https://chat.example.org' },
      gateway: { url: 'wss://gateway.example.org' },
      files: { url: 'https://files.example.org' },
    },
  });
});

test('[CF10] the example environment has every variable, with its sentence and a valid value', () => {
  const text = exampleEnvironmentFile();
  const variables = text.split('\n').flatMap((line) => {
    const [, name, value] = VARIABLE_LINE.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  expect(variables.map(([name]) => name)).toEqual(Object.keys(ENVIRONMENT_OPTIONS));
  const { deployment, mistakes } = readEnvironment(Object.fromEntries(variables), '/srv');
  expect(mistakes).toEqual([]);
  expect(deployment).toEqual({
    ...readEnvironment({}, '/srv').deployment,
    instanceFileGiven: true,
    webPortGiven: true,
    trustedProxies: ['127.0.0.1', '::1'],
    tokenKeyFile: '/etc/hearth/token-keys.json',
    engines: {
      databaseUrl: variables.find(([name]) => name === 'DATABASE_URL')?.[1],
      redisUrl: variables.find(([name]) => name === 'REDIS_URL')?.[1],
      blobs: expect.objectContaining({ bucket: 'bucket', region: 'us-east-1' }),
      mail: {
        url: 'smtp://hearth:password@mail.example.org:587',
        from: 'Hearth <hearth@chat.example.org>',
      },
      connectTimeoutMs: 30_000,
    },
  });
  for (const { about, type } of optionsOf(ENVIRONMENT_OPTIONS)) {
    expect(proseOf(text)).toContain(`${about} (${type.expected}).`);
  }
});

test('the example environment sets nothing', () => {
  const lines = exampleEnvironmentFile().split('\n');
  expect(lines.every((line) => line === '' || line.startsWith('# '))).toBe(true);
});

test('every line of the files and of the help is short', () => {
  const longest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));
  expect(longest(exampleInstanceFile())).toBeLessThanOrEqual(100);
  expect(longest(exampleEnvironmentFile())).toBeLessThanOrEqual(100);
  expect(longest(environmentHelp())).toBeLessThanOrEqual(80);
});

test('[OP9] the help lists every variable with its default and its sentence', () => {
  const help = environmentHelp();
  const prose = help.replaceAll(/\s+/g, ' ');
  for (const [name, { about, example, fallbackName }] of Object.entries(ENVIRONMENT_OPTIONS)) {
    expect(prose).toContain(` ${name} ${about} (default: ${fallbackName ?? example})`);
  }
  expect(help).toContain('\n  OPRISH_PORT            Port of the REST service (default: 7159)\n');
});

function optionsOf(tree: OptionTree): readonly Option<unknown>[] {
  return Object.values(tree).flatMap((node) =>
    node.kind === 'option' ? [node] : optionsOf(node.options),
  );
}

function proseOf(text: string): string {
  return text.replaceAll('\n# ', ' ');
}
