import { expect, test } from 'bun:test';
import { type Environment, readEnvironment } from './environment.ts';

const DEFAULTS = {
  instanceFile: '/srv/hearth/instance.toml',
  instanceFileGiven: false,
  dataDir: '/srv/hearth/data',
  host: '127.0.0.1',
  restPort: 7159,
  gatewayPort: 7160,
  filesPort: 7161,
  webPort: 7162,
  webPortGiven: false,
  trustedProxies: [],
  logLevel: 'info',
} as const;

test('[CF1] has the documented defaults, whatever other variables there are', () => {
  const { deployment, mistakes } = read({ PATH: '/bin', PORT: 'x', oprish_port: 'x' });
  expect(deployment).toEqual(DEFAULTS);
  expect(mistakes).toEqual([]);
});

test('[CF1] counts an empty variable as not given', () => {
  const { deployment, mistakes } = read({
    INSTANCE_CONF: '',
    DATA_DIR: '',
    HOST: '',
    OPRISH_PORT: '',
    PANDEMONIUM_PORT: '',
    EFFIS_PORT: undefined,
    WEB_PORT: '',
    TRUSTED_PROXIES: '',
    LOG_LEVEL: '',
  });
  expect(deployment).toEqual(DEFAULTS);
  expect(mistakes).toEqual([]);
});

test('[CF1] obeys every variable', () => {
  const { deployment, mistakes } = read({
    INSTANCE_CONF: 'conf/home.toml',
    DATA_DIR: '/var/lib/hearth',
    HOST: '::',
    OPRISH_PORT: '1',
    PANDEMONIUM_PORT: '2',
    EFFIS_PORT: '65535',
    WEB_PORT: '4',
    TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8',
    LOG_LEVEL: 'silent',
  });
  expect(mistakes).toEqual([]);
  expect(deployment).toEqual({
    instanceFile: '/srv/hearth/conf/home.toml',
    instanceFileGiven: true,
    dataDir: '/var/lib/hearth',
    host: '::',
    restPort: 1,
    gatewayPort: 2,
    filesPort: 65_535,
    webPort: 4,
    webPortGiven: true,
    trustedProxies: ['127.0.0.1', '10.0.0.0/8'],
    logLevel: 'silent',
  });
});

test('[CF2] names every mistaken variable', () => {
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

test('[CF2] names both variables of one port', () => {
  expect(read({ OPRISH_PORT: '7161' }).mistakes).toEqual([
    'OPRISH_PORT and EFFIS_PORT: expected a port of its own for each, got 7161 for 2 of them',
  ]);
});

test('[CF2] names all three variables of one port', () => {
  const { mistakes } = read({ PANDEMONIUM_PORT: '7159', EFFIS_PORT: '7159' });
  expect(mistakes).toEqual([
    'OPRISH_PORT and PANDEMONIUM_PORT and EFFIS_PORT: expected a port of its own for each, got 7159 for 3 of them',
  ]);
});

test('[WC1] takes off for no port at all, which is nobody else has then', () => {
  const { deployment, mistakes } = read({ WEB_PORT: 'off', OPRISH_PORT: '7162' });
  expect(deployment).toMatchObject({ webPort: 'off', webPortGiven: true });
  expect(mistakes).toEqual([]);
});

test('[WC2] names the port of the web client among those of one port only where it was given', () => {
  expect(read({ OPRISH_PORT: '7162' }).mistakes).toEqual([]);
  expect(read({ OPRISH_PORT: '7162', WEB_PORT: '7162' }).mistakes).toEqual([
    'OPRISH_PORT and WEB_PORT: expected a port of its own for each, got 7162 for 2 of them',
  ]);
});

test('[CF2] does not compare a port that is mistaken already', () => {
  expect(read({ OPRISH_PORT: 'abc', PANDEMONIUM_PORT: '7159' }).mistakes).toHaveLength(1);
});

test('shows the instance file as the owner wrote it', () => {
  expect(read({ INSTANCE_CONF: '../home.toml' }).instanceFileShownAs).toBe('../home.toml');
  expect(read({}).instanceFileShownAs).toBe('instance.toml');
});

function read(env: Environment) {
  return readEnvironment(env, '/srv/hearth');
}
