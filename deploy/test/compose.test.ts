import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEnvironment } from '../../packages/server/src/config/environment.ts';
import { ENVIRONMENT_OPTIONS } from '../../packages/server/src/config/environment-options.ts';
import { ROOT } from './support/built-image.ts';
import { networksOf, readComposeFile, type Service } from './support/compose-file.ts';

const SECRETS: Readonly<Record<string, string>> = {
  SITE: 'chat.example.org',
  POSTGRES_PASSWORD: 'a1',
  REDIS_PASSWORD: 'b2',
  AWS_ACCESS_KEY_ID: 'c3',
  AWS_SECRET_ACCESS_KEY: 'd4',
};

/** The service keys of the Compose specification that we use. Any other key is a mistake, or has to be added here. */
const KNOWN_KEYS = new Set([
  ...['build', 'image', 'pull_policy', 'restart', 'stop_grace_period', 'ports', 'environment'],
  ...['volumes', 'ulimits', 'read_only', 'tmpfs', 'cap_drop', 'security_opt', 'networks'],
  ...['depends_on', 'profiles', 'command', 'shm_size', 'healthcheck'],
]);

const PORTS = {
  rest: ENVIRONMENT_OPTIONS.OPRISH_PORT.fallback,
  gateway: ENVIRONMENT_OPTIONS.PANDEMONIUM_PORT.fallback,
  files: ENVIRONMENT_OPTIONS.EFFIS_PORT.fallback,
  web: ENVIRONMENT_OPTIONS.WEB_PORT.fallback,
};

const embedded = readComposeFile(join(ROOT, 'compose.yaml'), {});
const scaled = readComposeFile(join(ROOT, 'compose.scale.yaml'), SECRETS);
const files = { 'compose.yaml': embedded, 'compose.scale.yaml': scaled };

function isHearth({ image }: Service): boolean {
  return image === 'hearth';
}

const services = Object.entries(files).flatMap(([file, { services: all }]) =>
  Object.entries(all).map(([name, service]) => ({ file, name, service })),
);
const ours = services.filter(({ service }) => isHearth(service));
const theirs = services.filter(({ service }) => !isHearth(service));

/** Converts a duration in seconds, such as `15s`, to milliseconds. */
function duration(text: string | undefined): number {
  return Number(/^(\d+)s$/.exec(text ?? '')?.[1]) * 1000;
}

describe.each(services)('$name of $file', ({ file, service }) => {
  test('the service has only keys that Compose knows', () => {
    expect(Object.keys(service).filter((key) => !KNOWN_KEYS.has(key))).toEqual([]);
  });

  test('the service mounts only files of the repository and volumes of the file', () => {
    for (const volume of service.volumes ?? []) {
      const source = typeof volume === 'string' ? (volume.split(':')[0] ?? '') : volume.source;
      if (source === './instance.toml') continue;
      if (source.startsWith('.')) expect(existsSync(join(ROOT, source))).toBe(true);
      else expect(readComposeFile(join(ROOT, file), SECRETS).volumes).toHaveProperty(source);
    }
  });

  test('the service is only in networks of the file', () => {
    const networks = readComposeFile(join(ROOT, file), SECRETS).networks ?? {};
    for (const name of networksOf(service)) expect(networks).toHaveProperty(name);
  });
});

describe.each(ours)('Hearth: $name of $file', ({ service }) => {
  test('the service gets only variables that Hearth knows, with valid values', () => {
    const { environment = {} } = service;
    for (const name of Object.keys(environment)) expect(ENVIRONMENT_OPTIONS).toHaveProperty(name);
    expect(readEnvironment(environment, '/data').mistakes).toEqual([]);
  });

  test('the service is built from this repository, and has enough time to stop', () => {
    expect(service).toMatchObject({ build: '.', pull_policy: 'build' });
    expect(duration(service.stop_grace_period)).toBeGreaterThan(10_000);
  });

  test('the service has only the rights that it needs', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });
});

describe('compose.yaml', () => {
  test('the file publishes one port, which only this machine can reach, unless HOST is set', () => {
    expect(embedded.services['hearth']?.ports).toEqual([`127.0.0.1:${PORTS.web}:${PORTS.web}`]);
    const opened = readComposeFile(join(ROOT, 'compose.yaml'), { HOST: '0.0.0.0' });
    expect(opened.services['hearth']?.ports?.[0]).toBe(`0.0.0.0:${PORTS.web}:${PORTS.web}`);
  });

  test("the file keeps the data in a volume, mounted at the image's data folder", () => {
    expect(embedded.services['hearth']?.volumes).toEqual(['data:/data']);
  });
});

describe('compose.scale.yaml', () => {
  test.each(Object.keys(SECRETS))('the file is refused without %s', (name) => {
    const { [name]: _missing, ...others } = SECRETS;
    const read = () => readComposeFile(join(ROOT, 'compose.scale.yaml'), others);
    expect(read).toThrow(`required variable ${name} is missing`);
  });

  test('the file contains no secret', () => {
    const text = readFileSync(join(ROOT, 'compose.scale.yaml'), 'utf8');
    for (const line of text.split('\n').filter((each) => /(PASSWORD|SECRET|_KEY_ID)/.test(each))) {
      if (!line.trimStart().startsWith('#')) expect(line).toContain(':?set it in .env}');
    }
  });

  test('the file runs two REST services, two gateways, two file services and the web client', () => {
    const running = ours.filter(
      ({ file, service }) => file === 'compose.scale.yaml' && service.profiles === undefined,
    );
    const components = running.map(({ service }) => service.environment?.['COMPONENTS']);
    expect(components.toSorted()).toEqual([
      ...['files', 'files', 'gateway', 'gateway', 'rest', 'rest', 'web'],
    ]);
  });

  test('all processes of the instance get the same addresses', () => {
    const shared = ['DATABASE_URL', 'REDIS_URL', 'BLOBS_URL', 'INSTANCE_CONF', 'AWS_ACCESS_KEY_ID'];
    const settings = Object.values(scaled.services)
      .map(({ environment = {} }) => environment)
      .filter(({ DATABASE_URL }) => DATABASE_URL !== undefined)
      .map((environment) => shared.map((name) => environment[name]));
    expect(settings).toHaveLength(7);
    for (const each of settings) expect(each).toEqual(settings[0] ?? []);
    const { command } = scaled.services['migrate'] ?? {};
    const [database = '', , blobs = ''] = settings[0] ?? [];
    expect(command).toEqual(['migrate', '--to', database, '--blobs', blobs]);
  });

  test('Hearth gets the same secrets as the stores, and the addresses of the stores', () => {
    const { postgres, valkey, seaweedfs } = scaled.services;
    const { environment = {} } = scaled.services['rest-1'] ?? {};
    const database = new URL(environment['DATABASE_URL'] ?? '');
    expect(database.host).toBe('postgres:5432');
    expect(postgres?.environment).toEqual({
      POSTGRES_USER: database.username,
      POSTGRES_PASSWORD: database.password,
      POSTGRES_DB: database.pathname.slice(1),
    });
    const redis = new URL(environment['REDIS_URL'] ?? '');
    expect(redis.host).toBe('valkey:6379');
    const words = valkey?.command ?? [];
    expect(words[words.indexOf('--requirepass') + 1]).toBe(redis.password);
    expect(words[words.indexOf('--maxmemory-policy') + 1]).toBe('noeviction');
    const blobs = new URL(environment['BLOBS_URL'] ?? '');
    expect(seaweedfs?.environment).toEqual({
      S3_BUCKET: blobs.host,
      AWS_ACCESS_KEY_ID: environment['AWS_ACCESS_KEY_ID'] ?? '',
      AWS_SECRET_ACCESS_KEY: environment['AWS_SECRET_ACCESS_KEY'] ?? '',
    });
    const endpoint = new URL(blobs.searchParams.get('endpoint') ?? '');
    expect(seaweedfs?.command).toContain(`-ip=${endpoint.hostname}`);
    expect(seaweedfs?.command).toContain(`-s3.port=${endpoint.port}`);
  });

  test('Caddy gets the ports of the right processes', () => {
    const { environment = {} } = scaled.services['caddy'] ?? {};
    const names = { rest: 'REST', gateway: 'GATEWAY', files: 'FILES', web: 'WEB' } as const;
    for (const [component, port] of Object.entries(PORTS)) {
      const expected = Object.entries(scaled.services)
        .filter(([, service]) => service.environment?.['COMPONENTS'] === component)
        .map(([name]) => `${name}:${port}`);
      const variable = Object.entries(names).find(([name]) => name === component)?.[1] ?? '';
      expect(environment[variable]?.split(' ')).toEqual(expected);
    }
  });

  test('only Caddy is trusted, which has a fixed address', () => {
    const networks = scaled.services['caddy']?.networks ?? {};
    const [address] = Object.values(networks).map((network) => network.ipv4_address);
    const proxies = Object.values(scaled.services).flatMap(
      ({ environment }) => environment?.['TRUSTED_PROXIES'] ?? [],
    );
    expect(new Set(proxies)).toEqual(new Set([address ?? '']));
    const subnet = scaled.networks?.['front']?.ipam?.config[0]?.subnet;
    expect(subnet?.replace(/\.0\/24$/, '')).toBe(address?.replace(/\.\d+$/, ''));
  });

  test('only Caddy is published, and the stores are on a network that only Hearth shares', () => {
    const published = Object.keys(scaled.services).filter(
      (name) => scaled.services[name]?.ports !== undefined,
    );
    expect(published).toEqual(['caddy']);
    const stores = theirs.filter(
      ({ name, file }) => file === 'compose.scale.yaml' && name !== 'caddy',
    );
    expect(stores.map(({ name }) => name)).toEqual(['postgres', 'valkey', 'seaweedfs']);
    for (const { service } of stores) expect(networksOf(service)).toEqual(['back']);
    expect(scaled.networks?.['back']).toEqual({ internal: true });
  });

  test('Hearth waits for stores that have a health check', () => {
    for (const { name, service } of ours) {
      if (service.environment?.['DATABASE_URL'] === undefined) continue;
      const expected = ['postgres', 'valkey', 'seaweedfs'].map((store) => [
        store,
        { condition: 'service_healthy' },
      ]);
      expect([name, service.depends_on]).toEqual([name, Object.fromEntries(expected)]);
    }
    const depended = Object.values(scaled.services).flatMap(({ depends_on = {} }) =>
      Object.keys(depends_on),
    );
    for (const name of depended) {
      const service = scaled.services[name];
      // The image of Hearth has its own health check.
      expect(
        service !== undefined && (isHearth(service) || service.healthcheck !== undefined),
      ).toBe(true);
    }
  });

  test('every service starts again after a restart of the machine', () => {
    for (const { service } of services) {
      expect(service.restart).toBe(service.profiles === undefined ? 'unless-stopped' : 'no');
    }
  });
});
