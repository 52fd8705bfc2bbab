import {
  RATE_LIMITS,
  rateLimitsIn,
  type RateLimitIn,
  type RateLimitName,
  type RateLimitValue,
} from '@hearth/protocol';
import { named } from '@hearth/testing/instances/named';
import { expect, test } from 'bun:test';
import type { InstanceSettings } from './config.ts';
import { parseInstanceFile } from './instance-file.ts';

const DEFAULTS: InstanceSettings = {
  instanceName: 'Hearth',
  description: null,
  publicUrl: undefined,
  registration: 'invite',
  registrationQuestion: undefined,
  communityInvitesRegister: true,
  registrationProof: 'automatic',
  lobby: 'open',
  staffSecondFactor: 'optional',
  rest: {
    url: undefined,
    messageLimit: 2048,
    reservesNames: true,
    hasLinkPreviews: true,
    limits: {
      ...defaultsIn('oprish'),
      info: { reset_after: 5, limit: 2 },
      message_create: { reset_after: 5, limit: 10 },
      rate_limits: { reset_after: 5, limit: 2 },
    },
    history: { messages: 10_000, days: 30 },
  },
  gateway: {
    url: undefined,
    limit: { reset_after: 10, limit: 5 },
    sendBufferBytes: 1_048_576,
    sendBufferTotalBytes: 256_000_000,
    replay: { events: 10_000, minutes: 10, bytes: 16_777_216 },
  },
  files: {
    url: undefined,
    assetSizeBytes: 20_000_000,
    attachmentSizeBytes: 100_000_000,
    totalSizeBytes: undefined,
    userSizeBytes: 1_000_000_000,
    transfersPerClient: 64,
    limits: {
      ...defaultsIn('effis'),
      assets: { reset_after: 60, limit: 5, file_size_limit: 30_000_000 },
      attachments: { reset_after: 180, limit: 20, file_size_limit: 500_000_000 },
      fetch_file: { reset_after: 60, limit: 30 },
    },
  },
  web: {
    icon: undefined,
    accent: undefined,
    restPath: '/api',
    gatewayPath: '/gateway',
    filesPath: '/files',
  },
};

type Key = readonly [path: string, written: string, place: string, read: unknown];

/** Every key of an instance file, with a value other than its default, and the setting and value that it is read as. */
const KEYS: readonly Key[] = [
  ['registration', '"approval"', 'registration', 'approval'],
  ['registration_question', '"Why?"', 'registrationQuestion', 'Why?'],
  ['registration_proof', '"on"', 'registrationProof', 'on'],
  ['lobby', '"accounts"', 'lobby', 'accounts'],
  ['staff_second_factor', '"required"', 'staffSecondFactor', 'required'],
  ['instance_name', '"Home"', 'instanceName', 'Home'],
  ['description', '"Ours"', 'description', 'Ours'],
  ['public_url', '"https://d.example/x/"', 'publicUrl', 'https://d.example/x/'],
  ['web.api_path', '"/rest"', 'web.restPath', '/rest'],
  ['web.gateway_path', '"/live/1"', 'web.gatewayPath', '/live/1'],
  ['web.files_path', '"/Files_2.x"', 'web.filesPath', '/Files_2.x'],
  ['oprish.url', '"https://a.example"', 'rest.url', 'https://a.example'],
  ['oprish.message_limit', '7', 'rest.messageLimit', 7],
  ['oprish.history.messages', '7', 'rest.history.messages', 7],
  ['oprish.history.days', '8', 'rest.history.days', 8],
  ...rateLimitsIn('oprish').flatMap((name) => limitKeys(name, 'rest')),
  ['pandemonium.url', '"wss://b.example"', 'gateway.url', 'wss://b.example'],
  ['effis.transfers_per_client', '8', 'files.transfersPerClient', 8],
  ['pandemonium.send_buffer', '"2MiB"', 'gateway.sendBufferBytes', 2_097_152],
  ['pandemonium.send_buffer_total', '"1GiB"', 'gateway.sendBufferTotalBytes', 1_073_741_824],
  ['pandemonium.replay.events', '7', 'gateway.replay.events', 7],
  ['pandemonium.replay.minutes', '8', 'gateway.replay.minutes', 8],
  ['pandemonium.replay.size', '"2MiB"', 'gateway.replay.bytes', 2_097_152],
  ['pandemonium.rate_limit.reset_after', '7', 'gateway.limit.reset_after', 7],
  ['pandemonium.rate_limit.limit', '8', 'gateway.limit.limit', 8],
  ['effis.url', '"https://c.example"', 'files.url', 'https://c.example'],
  ['effis.file_size', '"7kB"', 'files.assetSizeBytes', 7000],
  ['effis.attachment_file_size', '7', 'files.attachmentSizeBytes', 7],
  ['effis.total_size', '"7GB"', 'files.totalSizeBytes', 7_000_000_000],
  ['effis.user_size', '"7GB"', 'files.userSizeBytes', 7_000_000_000],
  ...rateLimitsIn('effis').flatMap((name) => limitKeys(name, 'files')),
  ['web.icon', '"pictures/a.png"', 'web.icon', 'pictures/a.png'],
  ['web.accent', '"#0B57D0"', 'web.accent', '#0b57d0'],
];

/** Keys for which 0 means that nothing is kept. */
const MAY_BE_ZERO = [
  'oprish.history.messages',
  'pandemonium.replay.events',
  'pandemonium.replay.size',
];

test('[CF3] a file with nothing but a name has the defaults of the specification', () => {
  expect(read('')).toEqual(DEFAULTS);
  expect(read('# nothing\n[oprish]\n[oprish.rate_limits]\n[effis]\n')).toEqual(DEFAULTS);
});

test.each(KEYS)(
  '[CF3] %s alone can be set, and the rest keeps its defaults',
  (path, written, place, value) => {
    const expected = structuredClone(DEFAULTS);
    setAt(expected, place.split('.'), value);
    expect(read(`${path} = ${written}`)).toEqual(expected);
    const parts = path.split('.');
    const header = parts.length > 1 ? `[${parts.slice(0, -1).join('.')}]\n` : '';
    expect(read(`${header}${parts.at(-1)} = ${written}`)).toEqual(expected);
  },
);

test.each(KEYS)('[CF7][CF8] every wrong type is refused for %s', (path) => {
  for (const wrong of ['true', '[]', '{}', '1979-05-27', '07:32:00', '1.5', 'nan', '-inf']) {
    const [line, ...others] = mistakesOf(`${path} = ${wrong}`);
    expect(line).toStartWith(`instance.toml: ${path}: expected `);
    expect(others).toEqual([]);
  }
});

test.each(KEYS.filter(([, written]) => /\d/.test(written)))(
  '[CF8] negative and huge numbers, and zero if it has no meaning, are refused for %s',
  (path) => {
    const zero = MAY_BE_ZERO.includes(path) ? [] : ['0'];
    for (const wrong of [...zero, '-1', '9007199254740992', '99999999999999999999', '1e300']) {
      const [line, ...others] = mistakesOf(`${path} = ${wrong}`);
      expect(line).toStartWith(`instance.toml: ${path}: expected `);
      expect(others).toEqual([]);
    }
  },
);

test.each([
  'oprish',
  'oprish.history',
  'oprish.rate_limits',
  'oprish.rate_limits.info',
  'oprish.rate_limits.rate_limits',
  'pandemonium',
  'pandemonium.rate_limit',
  'pandemonium.replay',
  'effis',
  'effis.rate_limits',
  'effis.rate_limits.assets',
])('[CF8] anything but a section is refused for %s', (path) => {
  expect(mistakesOf(`${path} = 5`)).toEqual([`instance.toml: ${path}: expected a section, got 5`]);
  expect(mistakesOf(`[[${path}]]`)).toEqual([
    `instance.toml: ${path}: expected a section, got a list`,
  ]);
});

test('[CF7] a mistake names the file, the key and what was expected', () => {
  expect(mistakesOf('oprish.message_limit = "abc"')).toEqual([
    'instance.toml: oprish.message_limit: expected a whole number from 1 to 1000000, got "abc"',
  ]);
});

test('[CF8] an empty name and a description of 0 or 2049 characters are refused', () => {
  expect(mistakesOf(`instance_name = ""\ndescription = "${'👋'.repeat(2049)}"`)).toEqual([
    'instance.toml: instance_name: expected text of at least 1 character, got ""',
    `instance.toml: description: expected text of 1 to 2048 characters, got "${'👋'.repeat(60)}…" (2049 characters)`,
  ]);
  expect(mistakesOf('description = ""')).toHaveLength(1);
  expect(read(`description = "${'👋'.repeat(2048)}"`).description).toHaveLength(4096);
});

test.each([
  ['oprish.message_limit', '1000000', '1000001'],
  ['oprish.rate_limits.info.reset_after', '31536000', '31536001'],
  ['oprish.rate_limits.info.limit', '9007199254740991', '9007199254740992'],
  ['effis.transfers_per_client', '65536', '65537'],
  ['pandemonium.send_buffer', '65536', '65535'],
  ['pandemonium.send_buffer', '"64MiB"', '67108865'],
  ['pandemonium.send_buffer_total', '"1MiB"', '1048575'],
  ['effis.file_size', '1', '"0B"'],
  ['oprish.history.messages', '0', '-1'],
  ['oprish.history.messages', '100_000_000', '100_000_001'],
  ['oprish.history.days', '1', '0'],
  ['oprish.history.days', '36500', '36501'],
  ['pandemonium.replay.events', '0', '-1'],
  ['pandemonium.replay.events', '100000', '100001'],
  ['pandemonium.replay.minutes', '1', '0'],
  ['pandemonium.replay.minutes', '1440', '1441'],
  ['pandemonium.replay.size', '"0B"', '-1'],
  ['pandemonium.replay.size', '"4GiB"', '4294967297'],
])('[CF8] %s may be %s and not %s', (path, allowed, refused) => {
  expect(parseInstanceFile(named(`${path} = ${allowed}`), 'instance.toml').state).toBe('read');
  expect(mistakesOf(`${path} = ${refused}`)).toHaveLength(1);
});

test('[CF8] the gateway needs a WebSocket URL, and the other two need web URLs', () => {
  const lines = mistakesOf(
    'oprish.url = "ws://a"\npandemonium.url = "http://a"\neffis.url = "wss://a"',
  );
  expect(lines.map((line) => line.slice(0, line.indexOf(', without')))).toEqual([
    'instance.toml: oprish.url: expected a URL that begins with http:// or https://',
    'instance.toml: pandemonium.url: expected a URL that begins with ws:// or wss://',
    'instance.toml: effis.url: expected a URL that begins with http:// or https://',
  ]);
});

test('[CF5] "rate limits" is accepted for every rate_limits', () => {
  const settings = read(
    '[oprish."rate limits"."rate limits"]\nlimit = 7\n[effis."rate limits".fetch_file]\nlimit = 8',
  );
  expect(settings.rest.limits.rate_limits).toEqual({ reset_after: 5, limit: 7 });
  expect(settings.files.limits.fetch_file).toEqual({ reset_after: 60, limit: 8 });
});

test('[CF5] both spellings of one key are refused, and the keys in both are checked', () => {
  const text = '[oprish.rate_limits]\ninfo.limit = 0\n[oprish."rate limits"]\ninfo.limit = 1.5';
  expect(mistakesOf(text)).toEqual([
    'instance.toml: oprish.rate_limits.info.limit: expected a whole number of at least 1, got 0',
    'instance.toml: oprish."rate limits": expected one spelling of this key, got oprish.rate_limits as well',
    'instance.toml: oprish."rate limits".info.limit: expected a whole number of at least 1, got 1.5',
  ]);
});

test.each([
  ['instnce_name = ""', 'instnce_name', 'instance_name'],
  ['OPRISH = {}', 'OPRISH', 'oprish'],
  ['oprish.mesage_limit = 0', 'oprish.mesage_limit', 'oprish.message_limit'],
  ['oprish.rate_limits.inof.limit = 1', 'oprish.rate_limits.inof', 'oprish.rate_limits.info'],
  [
    '[effis.rate_limits.assets]\nfile-size-limit = 1',
    'effis.rate_limits.assets.file-size-limit',
    'effis.rate_limits.assets.file_size_limit',
  ],
  ['pandemonium."rate limits" = 1', 'pandemonium."rate limits"', 'pandemonium.rate_limit'],
  ['oprish.rate_limit = 1', 'oprish.rate_limit', 'oprish.rate_limits'],
  ['message_limit = 1', 'message_limit', 'oprish.message_limit'],
  ['[effis]\ninstance_name = "x"', 'effis.instance_name', 'instance_name'],
  ['effis.send_buffer = 1', 'effis.send_buffer', 'pandemonium.send_buffer'],
  ['oprish.history.mesages = 1', 'oprish.history.mesages', 'oprish.history.messages'],
  ['pandemonium.reply.size = 1', 'pandemonium.reply', 'pandemonium.replay'],
  ['"a.b" = 1', '"a.b"', 'web'],
  ['constructor = 1', 'constructor', 'description'],
])('[CF9] a known key is suggested for %j', (text, path, suggested) => {
  expect(mistakesOf(text)).toEqual([
    `instance.toml: ${path}: unknown key, did you mean ${suggested}?`,
  ]);
});

test('[CF9] keys that every JavaScript object has are unknown, too', () => {
  for (const key of ['__proto__', 'toString', 'hasOwnProperty']) {
    expect(mistakesOf(`${key} = 1`)[0]).toStartWith(`instance.toml: ${key}: unknown key`);
  }
});

test('[CF7] all mistakes are listed at once, in the order of the file', () => {
  const text = 'instance_name = 1\nnope = 2\n[effis]\nfile_size = 0\n[oprish]\nurl = "x"\nmore = 1';
  expect(mistakesOf(text).map((line) => line.split(': ')[1])).toEqual([
    'instance_name',
    'nope',
    'effis.file_size',
    'oprish.url',
    'oprish.more',
  ]);
});

test.each([
  ['instance_name = Hearth', 1, 17],
  ['a = 1\n\n      = 2', 3, 7],
  ['[effis]\r\nfile_size = 20MB\r\n', 2, 15],
  ['[oprish]\n[oprish]', 2, 2],
  ['a = "x', 1, 5],
  ['{"instance_name": "Hearth"}', 1, 1],
  ['\0', 1, 1],
])('[CF9] the line and column of invalid TOML are reported for %j', (text, line, column) => {
  const [mistake, ...others] = mistakesOfWhole(text);
  expect(mistake).toStartWith(`instance.toml:${line}:${column}: this is not TOML: `);
  expect(mistake).not.toContain('\n');
  expect(others).toEqual([]);
});

test.each([
  ['', []],
  ['description = "At home"', []],
  ['[effis]\ninstance_name = "Home"', ['effis.instance_name: unknown key']],
  ['[oprish]\nmessage_limit = 0', ['oprish.message_limit: expected']],
])('[CF11] a file without a name is refused: %j', (text, others) => {
  const mistakes = mistakesOfWhole(text);
  expect(mistakes).toHaveLength(others.length + 1);
  for (const [index, other] of others.entries()) {
    expect(mistakes[index]).toStartWith(`instance.toml: ${other}`);
  }
  expect(mistakes.at(-1)).toBe(
    'instance.toml: instance_name: expected text of at least 1 character, got nothing',
  );
});

test('[CF12] an unclosed quote is reported with its line', () => {
  expect(mistakesOfWhole('instance_name = "Home"\n[oprish]\nurl = "http://h:1\n')).toEqual([
    'instance.toml:3:7: this is not TOML: the quote " is not closed',
  ]);
});

test('[CF9] invalid TOML is described in words', () => {
  expect(mistakesOfWhole('oprish = ')).toEqual([
    'instance.toml:1:10: this is not TOML: invalid value',
  ]);
});

// Guarantee: the limits of the section are there, as the table has them.
function defaultsIn<Section extends 'oprish' | 'effis'>(section: Section) {
  const entries = rateLimitsIn(section).map((name) => [name, RATE_LIMITS[name].defaults]);
  return Object.fromEntries(entries) as {
    [Name in RateLimitIn<Section>]: RateLimitValue<Name>;
  };
}

function limitKeys(name: RateLimitName, component: 'rest' | 'files'): readonly Key[] {
  const { section, defaults } = RATE_LIMITS[name];
  return Object.keys(defaults).map((key, index) => {
    const value = index + 7;
    const place = `${component}.limits.${name}.${key}`;
    return [`${section}.rate_limits.${name}.${key}`, String(value), place, value];
  });
}

function read(text: string): InstanceSettings {
  const file = parseInstanceFile(named(text), 'instance.toml');
  if (file.state === 'mistaken') throw new Error(file.mistakes.join('\n'));
  return file.settings;
}

function mistakesOf(text: string): readonly string[] {
  return mistakesOfWhole(named(text));
}

function mistakesOfWhole(text: string): readonly string[] {
  const file = parseInstanceFile(text, 'instance.toml');
  return file.state === 'mistaken' ? file.mistakes : [];
}

function setAt(target: object, [key = '', ...rest]: readonly string[], value: unknown): void {
  const inner: unknown = Reflect.get(target, key);
  if (rest.length > 0 && typeof inner === 'object' && inner !== null) setAt(inner, rest, value);
  else Reflect.set(target, key, value);
}
