import { expect, test } from 'bun:test';
import { type Environment, readEnvironment } from './environment.ts';

const DEFAULTS = {
  instanceFile: '/srv/hearth/instance.toml',
  instanceFileGiven: false,
  tokenKeyFile: undefined,
  dataDir: '/srv/hearth/data',
  host: '127.0.0.1',
  restPort: 7159,
  gatewayPort: 7160,
  filesPort: 7161,
  webPort: 7162,
  webPortGiven: false,
  trustedProxies: [],
  components: ['rest', 'gateway', 'files', 'web'],
  engines: {
    databaseUrl: undefined,
    redisUrl: undefined,
    blobs: undefined,
    mail: undefined,
    connectTimeoutMs: 30_000,
  },
  logLevel: 'info',
} as const;

test('[CF1] the defaults are as documented, and other variables change nothing', () => {
  const { deployment, mistakes } = read({ PATH: '/bin', PORT: 'x', oprish_port: 'x' });
  expect(deployment).toEqual(DEFAULTS);
  expect(mistakes).toEqual([]);
});

test('[CF1] an empty variable counts as not set', () => {
  const { deployment, mistakes } = read({
    INSTANCE_CONF: '',
    DATA_DIR: '',
    HOST: '',
    OPRISH_PORT: '',
    PANDEMONIUM_PORT: '',
    EFFIS_PORT: undefined,
    WEB_PORT: '',
    TRUSTED_PROXIES: '',
    COMPONENTS: '',
    DATABASE_URL: '',
    REDIS_URL: '',
    BLOBS_URL: '',
    AWS_ACCESS_KEY_ID: '',
    AWS_SECRET_ACCESS_KEY: '',
    AWS_SESSION_TOKEN: '',
    AWS_REGION: '',
    SMTP_URL: '',
    MAIL_FROM: '',
    CONNECT_TIMEOUT: '',
    LOG_LEVEL: '',
  });
  expect(deployment).toEqual(DEFAULTS);
  expect(mistakes).toEqual([]);
});

test('[CF1] every variable has an effect', () => {
  const { deployment, mistakes } = read({
    INSTANCE_CONF: 'conf/home.toml',
    TOKEN_KEY_FILE: '/etc/hearth/keys.json',
    DATA_DIR: '/var/lib/hearth',
    HOST: '::',
    OPRISH_PORT: '1',
    PANDEMONIUM_PORT: '2',
    EFFIS_PORT: '65535',
    WEB_PORT: '4',
    TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8',
    COMPONENTS: 'web, gateway rest',
    DATABASE_URL: 'postgres://ada:secret@db:5432/hearth',
    REDIS_URL: 'rediss://:secret@cache/1',
    BLOBS_URL: 's3://files?endpoint=http://127.0.0.1:8333',
    AWS_ACCESS_KEY_ID: 'ada',
    AWS_SECRET_ACCESS_KEY: 'a secret',
    AWS_SESSION_TOKEN: 'a token',
    AWS_REGION: 'eu-central-1',
    SMTP_URL: 'smtps://ada:secret@mail:465',
    MAIL_FROM: 'Home <home@example.org>',
    CONNECT_TIMEOUT: '5',
    LOG_LEVEL: 'silent',
  });
  expect(mistakes).toEqual([]);
  expect(deployment).toEqual({
    instanceFile: '/srv/hearth/conf/home.toml',
    instanceFileGiven: true,
    tokenKeyFile: '/etc/hearth/keys.json',
    dataDir: '/var/lib/hearth',
    host: '::',
    restPort: 1,
    gatewayPort: 2,
    filesPort: 65_535,
    webPort: 4,
    webPortGiven: true,
    trustedProxies: ['127.0.0.1', '10.0.0.0/8'],
    components: ['rest', 'gateway', 'web'],
    engines: {
      databaseUrl: 'postgres://ada:secret@db:5432/hearth',
      redisUrl: 'rediss://:secret@cache/1',
      blobs: {
        bucket: 'files',
        prefix: '',
        endpoint: 'http://127.0.0.1:8333',
        region: 'eu-central-1',
        credentials: { accessKeyId: 'ada', secretAccessKey: 'a secret', sessionToken: 'a token' },
      },
      mail: { url: 'smtps://ada:secret@mail:465', from: 'Home <home@example.org>' },
      connectTimeoutMs: 5_000,
    },
    logLevel: 'silent',
  });
});

test('[CF2] every invalid variable is named', () => {
  const { mistakes } = read({
    OPRISH_PORT: 'abc',
    WEB_PORT: 'on',
    HOST: 'http://localhost',
    TRUSTED_PROXIES: '10.0.0.0/8, 10.0.0.0/33',
    LOG_LEVEL: 'verbose',
  });
  expect(mistakes).toEqual([
    'HOST: expected an IP address or a host name, got "http://localhost"',
    'OPRISH_PORT: expected a whole number from 1 to 65535, got "abc"',
    'WEB_PORT: expected a whole number from 1 to 65535, or off, got "on"',
    'TRUSTED_PROXIES: expected IP addresses or CIDR ranges, separated by commas or spaces, got "10.0.0.0/33"',
    'LOG_LEVEL: expected one of fatal, error, warn, info, debug, trace, silent, got "verbose"',
  ]);
});

test('[CF2] both variables with the same port are named', () => {
  expect(read({ OPRISH_PORT: '7161' }).mistakes).toEqual([
    'OPRISH_PORT and EFFIS_PORT: expected a different port for each, got 7161 for 2 of them',
  ]);
});

test('[CF2] all three variables with the same port are named', () => {
  const { mistakes } = read({ PANDEMONIUM_PORT: '7159', EFFIS_PORT: '7159' });
  expect(mistakes).toEqual([
    'OPRISH_PORT and PANDEMONIUM_PORT and EFFIS_PORT: expected a different port for each, got 7159 for 3 of them',
  ]);
});

test('[WC1] off means no port, so that another component can use the default one', () => {
  const { deployment, mistakes } = read({ WEB_PORT: 'off', OPRISH_PORT: '7162' });
  expect(deployment).toMatchObject({ webPort: 'off', webPortGiven: true });
  expect(mistakes).toEqual([]);
});

test('[WC2] the port of the web client conflicts with another only if it is set', () => {
  expect(read({ OPRISH_PORT: '7162' }).mistakes).toEqual([]);
  expect(read({ OPRISH_PORT: '7162', WEB_PORT: '7162' }).mistakes).toEqual([
    'OPRISH_PORT and WEB_PORT: expected a different port for each, got 7162 for 2 of them',
  ]);
});

test('[CF2] an invalid port is not compared with others', () => {
  expect(read({ OPRISH_PORT: 'abc', PANDEMONIUM_PORT: '7159' }).mistakes).toHaveLength(1);
});

const DATABASE_URL = 'postgres://db/hearth';
const REDIS_URL = 'redis://cache';

test.each<[what: string, env: Environment, mistakes: readonly string[]]>([
  [
    'Redis without a database that processes can share',
    { REDIS_URL },
    ['DATABASE_URL: expected with REDIS_URL: processes that share Redis share a database'],
  ],
  [
    'a REST service without the others and without servers to reach them',
    { COMPONENTS: 'rest,web' },
    [
      'DATABASE_URL: expected if COMPONENTS leaves gateway and files to other processes',
      'REDIS_URL: expected if COMPONENTS leaves gateway and files to other processes',
    ],
  ],
  [
    'a gateway without Redis',
    { COMPONENTS: 'gateway,files', DATABASE_URL },
    ['REDIS_URL: expected if COMPONENTS leaves rest to other processes'],
  ],
  [
    'the web client alone on a database without Redis',
    { COMPONENTS: 'web', DATABASE_URL },
    ['REDIS_URL: expected if COMPONENTS leaves rest and gateway and files to other processes'],
  ],
  [
    'the web client alone, switched off',
    { COMPONENTS: 'web', WEB_PORT: 'off' },
    ['COMPONENTS: expected more than web, because WEB_PORT is off'],
  ],
  [
    'storage without keys',
    { BLOBS_URL: 's3://files' },
    [
      'AWS_ACCESS_KEY_ID: expected with BLOBS_URL',
      'AWS_SECRET_ACCESS_KEY: expected with BLOBS_URL',
    ],
  ],
  [
    'a mail server without a sender',
    { SMTP_URL: 'smtp://mail' },
    ['MAIL_FROM: expected with SMTP_URL'],
  ],
  [
    'a sender that is several',
    { SMTP_URL: 'smtp://mail', MAIL_FROM: 'a@example.org, b@example.org' },
    [
      'MAIL_FROM: expected an address such as hearth@chat.example.org, or Hearth <hearth@chat.example.org>, got "a@example.org, b@example.org"',
    ],
  ],
])('[CF2] %s is refused', (_what, env, mistakes) => {
  expect(read(env).mistakes).toEqual(mistakes);
});

test.each<[what: string, env: Environment]>([
  ['one component on shared servers', { COMPONENTS: 'gateway', DATABASE_URL, REDIS_URL }],
  ['one process on PostgreSQL', { DATABASE_URL }],
  ['the web client alone', { COMPONENTS: 'web' }],
  ['the web client alone on shared servers', { COMPONENTS: 'web', DATABASE_URL, REDIS_URL }],
  ['all but the web client', { COMPONENTS: 'files,gateway,rest' }],
  ['a sender without a mail server', { MAIL_FROM: 'home@example.org' }],
  ['keys of other programs', { AWS_ACCESS_KEY_ID: 'x', AWS_REGION: 'y' }],
])('[CF1] %s is accepted', (_what, env) => {
  expect(read(env).mistakes).toEqual([]);
});

test('[CF13] a sender without a mail server has no effect, and is reported', () => {
  const env = { MAIL_FROM: 'home@example.org' };
  expect(read(env).warnings).toEqual([
    'MAIL_FROM: has no effect without SMTP_URL, so the instance sends no mail',
  ]);
  expect(read({ ...env, SMTP_URL: 'smtp://mail' }).warnings).toEqual([]);
  expect(read({ ...env, SMTP_URL: 'mail' }).warnings).toEqual([]);
  expect(read({}).warnings).toEqual([]);
});

test('[CF2] the error for an invalid address contains no user name and no password', () => {
  const { mistakes } = read({
    DATABASE_URL: 'mysql://ada:secret@db/hearth',
    REDIS_URL: 'redis://:se@cret@ca che',
    BLOBS_URL: 'https://ada:secret@files',
    SMTP_URL: 'smtp://ada:secret%@mail',
    COMPONENTS: 'rest,oprish',
    CONNECT_TIMEOUT: '0',
  });
  expect(mistakes.map((mistake) => mistake.split(':')[0])).toEqual([
    'COMPONENTS',
    'DATABASE_URL',
    'REDIS_URL',
    'BLOBS_URL',
    'SMTP_URL',
    'CONNECT_TIMEOUT',
  ]);
  expect(mistakes.join()).not.toMatch(/ada|secret|cret/);
});

test('the path of the instance file is shown as the owner wrote it', () => {
  expect(read({ INSTANCE_CONF: '../home.toml' }).instanceFileShownAs).toBe('../home.toml');
  expect(read({}).instanceFileShownAs).toBe('instance.toml');
});

function read(env: Environment) {
  return readEnvironment(env, '/srv/hearth');
}
