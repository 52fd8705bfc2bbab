import type { InstanceInfo } from '@hearth/protocol';
import { instanceInfoSchema } from '@hearth/protocol/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import packageFile from '../package.json' with { type: 'json' };
import { freePorts } from '@hearth/testing/free-ports';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';

const CONFIGURED = `
instance_name = "Häuschen 🏠"
description = "line one\\nline \\"two\\" 😀"
[oprish]
url = "https://chat.example.org/api/"
message_limit = 17
[pandemonium]
url = "wss://gateway.example.org:8443"
[effis]
url = "http://files.example.org"
file_size = "12MiB"
attachment_file_size = 345
`;

let instance: TestInstance;
let defaults: InstanceInfo;
let configured: InstanceInfo;

beforeAll(async () => {
  instance = await startTestInstance({ toml: '' });
  defaults = await infoAt(instance.addresses.rest);
  configured = await infoWith(CONFIGURED);
});

afterAll(() => instance[Symbol.asyncDispose]());

async function infoAt(url: string): Promise<InstanceInfo> {
  return instanceInfoSchema.strict().parse(await (await fetch(url)).json());
}

/** The InstanceInfo of an instance that was started with this instance file. */
async function infoWith(toml: string): Promise<InstanceInfo> {
  const [port] = await freePorts(1);
  await using _own = await startTestInstance({ toml, env: { OPRISH_PORT: String(port) } });
  return await infoAt(`http://127.0.0.1:${port}`);
}

/** Why an instance with this instance file does not start. */
async function mistakeIn(toml: string): Promise<string> {
  return infoWith(toml).then(() => 'it starts', String);
}

test('[II1][RS1] an instance reports exactly nine fields, whatever is configured', () => {
  const fields = [
    'instance_name',
    'description',
    'version',
    'message_limit',
    'oprish_url',
    'pandemonium_url',
    'effis_url',
    'file_size',
    'attachment_file_size',
  ];
  expect(Object.keys(defaults)).toEqual(fields);
  expect(Object.keys(configured)).toEqual(fields);
});

test('[II2] the name is the configured one, or "Hearth"', async () => {
  expect(defaults.instance_name).toBe('Hearth');
  expect(configured.instance_name).toBe('Häuschen 🏠');
  expect((await infoWith('instance_name = " "')).instance_name).toBe(' ');
  expect(await mistakeIn('instance_name = ""')).toContain('instance.toml: instance_name: ');
});

describe('[II3] the description', () => {
  test('the description is the configured text, or null', () => {
    expect(defaults.description).toBeNull();
    expect(configured.description).toBe('line one\nline "two" 😀');
  });

  test.each([
    ['1 character', 'x', 1],
    ['2048 characters', 'x', 2048],
    ['2048 characters of two UTF-16 units', '😀', 2048],
  ])('may have %s', async (_what, unit, times) => {
    const text = unit.repeat(times);
    expect((await infoWith(`description = "${text}"`)).description).toBe(text);
  });

  test('the description may not be empty or longer, or the instance does not start', async () => {
    for (const text of ['', 'x'.repeat(2049), '😀'.repeat(2049)]) {
      const mistake = await mistakeIn(`description = "${text}"`);
      expect(mistake).toContain('instance.toml: description: ');
    }
  });
});

describe('[II4] the limits', () => {
  test('the limits are those of the specification by default', () => {
    const { message_limit, file_size, attachment_file_size } = defaults;
    expect([message_limit, file_size, attachment_file_size]).toEqual([2048, 20e6, 100e6]);
  });

  test('the limits are the configured ones, in bytes', () => {
    const { message_limit, file_size, attachment_file_size } = configured;
    expect([message_limit, file_size, attachment_file_size]).toEqual([17, 12 * 1024 ** 2, 345]);
  });
});

describe('[II5] the addresses', () => {
  test('the addresses are the configured ones, unchanged', () => {
    expect(configured).toMatchObject({
      oprish_url: 'https://chat.example.org/api/',
      pandemonium_url: 'wss://gateway.example.org:8443',
      effis_url: 'http://files.example.org',
    });
  });

  test('the addresses are those of this machine by default', () => {
    const { rest, gateway, files } = instance.addresses;
    const { oprish_url, pandemonium_url, effis_url } = defaults;
    expect([oprish_url, pandemonium_url, effis_url]).toEqual([rest, gateway, files]);
    const schemes = [rest, gateway, files].map((url) => new URL(url).protocol);
    expect(schemes).toEqual(['http:', 'ws:', 'http:']);
  });

  test.each([
    ['[oprish]', 'ws://h'],
    ['[oprish]', 'h.example.org'],
    ['[pandemonium]', 'https://h'],
    ['[effis]', 'wss://h'],
  ])(
    'the addresses have the documented schemes: an instance with %s url = %j does not start',
    async (section, url) => {
      expect(await mistakeIn(`${section}\nurl = "${url}"`)).toContain('.url: expected');
    },
  );
});

test("[VE1][VE2] the version is the interface's, followed by Hearth's own", () => {
  expect(defaults.version).toBe(`0.3.2+hearth.${packageFile.version}`);
  expect(configured.version).toBe(defaults.version);
});
