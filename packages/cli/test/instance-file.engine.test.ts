import { named } from '@hearth/testing/instances/named';
import { instanceRateLimitsSchema } from '@hearth/protocol/schemas';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { Home } from './support/home.ts';
import { messageRequest, readInfo, uploadRequest } from './support/talk.ts';

const TOO_MANY = { code: 1011, reason: 'Client hit rate limit' };

const DEFAULT_LIMITS = {
  oprish: {
    info: { reset_after: 5, limit: 2 },
    message_create: { reset_after: 5, limit: 10 },
    'rate limits': { reset_after: 5, limit: 2 },
  },
  pandemonium: { reset_after: 10, limit: 5 },
  effis: {
    assets: { reset_after: 60, limit: 5, file_size_limit: 30_000_000 },
    attachments: { reset_after: 180, limit: 20, file_size_limit: 500_000_000 },
    fetch_file: { reset_after: 60, limit: 30 },
  },
};

let home: Home;

beforeEach(async () => {
  home = await Home.make();
});

afterEach(() => home[Symbol.asyncDispose]());

test('[CF3][CF6] an instance file with only a name means the defaults and the addresses on this machine', async () => {
  const { rest, gateway, files } = home.addresses;
  await startWith('');
  expect(await readInfo(rest)).toMatchObject({
    instance_name: 'Hearth',
    description: null,
    message_limit: 2048,
    oprish_url: rest,
    pandemonium_url: gateway,
    effis_url: files,
    file_size: 20_000_000,
    attachment_file_size: 100_000_000,
  });
  expect(await readLimits()).toMatchObject(DEFAULT_LIMITS);
});

test('[CF3][CF4] the instance file sets the name, description, message length, file sizes and addresses', async () => {
  const { stdout } = await startWith(`
    instance_name = "Zum Kamin 🔥"
    description = "Two lines\\nof it"
    [oprish]
    url = "https://chat.example.org"
    message_limit = 7
    [pandemonium]
    url = "wss://gateway.example.org/socket"
    [effis]
    url = "https://files.example.org/"
    file_size = "3KiB"
    attachment_file_size = "2kB"`);
  expect(await readInfo(home.addresses.rest)).toMatchObject({
    instance_name: 'Zum Kamin 🔥',
    description: 'Two lines\nof it',
    message_limit: 7,
    oprish_url: 'https://chat.example.org',
    pandemonium_url: 'wss://gateway.example.org/socket',
    effis_url: 'https://files.example.org/',
    file_size: 3072,
    attachment_file_size: 2000,
  });
  expect(stdout.text).toContain('wss://gateway.example.org/socket');
});

test('[CF3] the instance file sets the longest message', async () => {
  await startWith('oprish.message_limit = 7');
  expect((await post('seven 🔥')).status).toBe(200);
  expect((await post('eight 🔥🔥')).status).toBe(422);
});

test('[CF3][CF4] the instance file sets the largest attachment', async () => {
  await startWith('effis.attachment_file_size = "2kB"');
  expect((await send('x'.repeat(2000))).status).toBe(200);
  expect((await send('x'.repeat(2001))).status).toBe(422);
});

test('[CF3] the instance file sets the rate limits of the REST service and the file service', async () => {
  await startWith(`
    [oprish.rate_limits]
    info.limit = 3
    message_create = { reset_after = 60, limit = 1 }
    [effis.rate_limits]
    attachments = { reset_after = 60, limit = 3, file_size_limit = 1000 }
    fetch_file.limit = 1`);
  const { rest, files } = home.addresses;
  expect(await readLimits()).toMatchObject({
    ...DEFAULT_LIMITS,
    oprish: {
      ...DEFAULT_LIMITS.oprish,
      info: { reset_after: 5, limit: 3 },
      message_create: { reset_after: 60, limit: 1 },
    },
    effis: {
      ...DEFAULT_LIMITS.effis,
      attachments: { reset_after: 60, limit: 3, file_size_limit: 1000 },
      fetch_file: { reset_after: 60, limit: 1 },
    },
  });
  expect(await statuses(4, () => fetch(rest))).toEqual([200, 200, 200, 429]);
  expect(await statuses(2, () => post('hello'))).toEqual([200, 429]);
  expect(await statuses(3, () => send('x'.repeat(500)))).toEqual([200, 200, 429]);
  expect(await statuses(2, () => fetch(`${files}/attachments/1`))).toEqual([404, 429]);
});

test('[CF3] the instance file sets the rate limit of the gateway', async () => {
  await startWith('pandemonium.rate_limit = { reset_after = 60, limit = 2 }');
  const { gateway } = home.addresses;
  const talker = await GatewayClient.connect(gateway);
  const other = await GatewayClient.connect(gateway);
  const tooMany = await GatewayClient.connect(gateway);
  expect(await tooMany.closed).toEqual(TOO_MANY);
  await talker.ping();
  await talker.ping();
  talker.send('{"op":"PING"}');
  expect(await talker.closed).toEqual(TOO_MANY);
  await other.ping();
});

test('[CF5] "rate limits" may be written with a space', async () => {
  await startWith(`
    [oprish."rate limits"."rate limits"]
    limit = 9
    [effis."rate limits".assets]
    limit = 8`);
  expect(await readLimits()).toMatchObject({
    oprish: { 'rate limits': { reset_after: 5, limit: 9 } },
    effis: { assets: { reset_after: 60, limit: 8, file_size_limit: 30_000_000 } },
  });
});

test('[CF7][CF8][CF9] every mistake in the file is printed on one line with the file, the key and what was expected', async () => {
  await home.write(
    'instance.toml',
    `instance_name = ""
    description = 5
    descripton = "a letter is missing"
    [oprish]
    url = "chat.example.org"
    message_limit = 0
    rate_limits.info = { reset_after = -1, limit = "2" }
    [pandemonium]
    url = "https://gateway.example.org"
    [effis]
    file_size = "20 apples"
    attachment_file_size = 0
    rate_limits.fetch_files.limit = 1`,
  );
  const { exitCode, stdout, stderr } = await home.run(['start']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr.trimEnd().split('\n').map(shortened).toSorted()).toEqual([
    'description: expected',
    'descripton: unknown key, did you mean description?',
    'effis.attachment_file_size: expected',
    'effis.file_size: expected',
    'effis.rate_limits.fetch_files: unknown key, did you mean effis.rate_limits.fetch_file?',
    'instance_name: expected',
    'oprish.message_limit: expected',
    'oprish.rate_limits.info.limit: expected',
    'oprish.rate_limits.info.reset_after: expected',
    'oprish.url: expected',
    'pandemonium.url: expected',
  ]);
  expect(await home.names()).toEqual(['instance.toml']);
});

test('[CF7] mistakes begin with the path of the file, as INSTANCE_CONF gives it', async () => {
  await home.write('home.toml', 'instance_name = 1');
  const { exitCode, stderr } = await home.runHere(['start'], { INSTANCE_CONF: './home.toml' });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^hearth: \.\/home\.toml: instance_name: expected [^\n]+\n$/);
});

test('[CF7] a mistake in the file stops the other commands too', async () => {
  await home.write('instance.toml', named('effis.file_size = -1'));
  const { exitCode, stdout, stderr } = await home.runHere(['static', 'list']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(/^hearth: instance\.toml: effis\.file_size: expected [^\n]+\n$/);
});

test.each(['', 'oprish.message_limit = 100\n'])(
  '[CF11] a file without a name ends the start with one line that names the file and the key: %j',
  async (text) => {
    await home.write('instance.toml', text);
    const { exitCode, stdout, stderr } = await home.runHere(['start']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toBe(
      'hearth: instance.toml: instance_name: expected text of at least 1 character, got nothing\n',
    );
    expect(await home.names()).toEqual(['instance.toml']);
  },
);

test('[CF11] a start without a file writes one with a name, which later starts accept', async () => {
  await (await home.start()).stop();
  expect(await readFile(home.path('instance.toml'), 'utf8')).toContain(
    '\ninstance_name = "Hearth"\n',
  );
  await home.startHere();
  expect((await readInfo(home.addresses.rest)).instance_name).toBe('Hearth');
});

test.each([
  ['instance_name = "Hearth', 1, 17],
  ['instance_name = "Hearth"\n\n[oprish\nurl = 1', 3, 8],
  ['instance_name = "a"\ninstance_name = "b"', 2, 1],
])(
  '[CF9] a file that is not valid TOML is refused with line and column: %j',
  async (text, line, column) => {
    await home.write('instance.toml', text);
    const { exitCode, stdout, stderr } = await home.runHere(['start']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    const [, ...place] = /^hearth: instance\.toml:(\d+):(\d+): [^\n]+\n$/.exec(stderr) ?? [stderr];
    expect(place.map(Number)).toEqual([line, column]);
  },
);

async function startWith(toml: string) {
  await home.write('instance.toml', named(toml));
  return home.startHere();
}

async function readLimits() {
  const answer = await fetch(`${home.addresses.rest}/rate_limits`);
  return instanceRateLimitsSchema.parse(await answer.json());
}

function post(content: string): Promise<Response> {
  return fetch(messageRequest(home.addresses.rest, content));
}

function send(content: string): Promise<Response> {
  return fetch(uploadRequest(home.addresses.files, content));
}

/** The statuses of requests that are made one after the other. */
async function statuses(count: number, request: () => Promise<Response>): Promise<number[]> {
  const found: number[] = [];
  for (let left = count; left > 0; left -= 1) found.push((await request()).status);
  return found;
}

/** A line about the instance file, without the parts that this test does not pin. */
function shortened(line: string): string {
  return line.replace('hearth: instance.toml: ', '').replace(/expected .*/, 'expected');
}
