import { named } from '@hearth/testing/instances/named';
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readEnvironment } from '../../config/environment.ts';
import { parseInstanceFile } from '../../config/instance-file.ts';
import type { Config } from '../../config/config.ts';
import { contentSecurityPolicy, hostName, viewsOf } from './view.ts';

const LOCAL = {
  rest: 'http://127.0.0.1:7159',
  gateway: 'ws://127.0.0.1:7160',
  files: 'http://127.0.0.1:7161',
};

function config(host: string, toml = ''): Config {
  const file = parseInstanceFile(named(toml), 'instance.toml');
  if (file.state !== 'read') throw new Error(`it is ${file.state}`);
  const { deployment } = readEnvironment({ HOST: host }, '/srv');
  return { settings: file.settings, deployment };
}

function at(host: string) {
  return {
    rest: `http://${host}:7159`,
    gateway: `ws://${host}:7160`,
    files: `http://${host}:7161`,
  };
}

describe('[WC7] the addresses of the components are', () => {
  test.each(['127.0.0.1', 'localhost', '192.0.2.7'])(
    'those of the instance, if it listens on one address: %s',
    (host) => {
      const viewAt = viewsOf(config(host));
      expect(viewAt('chat.example:7162').addresses).toEqual(at(host));
      expect(viewAt('chat.example')).toBe(viewAt(null));
    },
  );

  test.each([
    ['192.0.2.7:7162', '192.0.2.7'],
    ['Chat.example:7162', 'chat.example'],
    ['[2001:DB8::1]:80', '[2001:db8::1]'],
    ['nas', 'nas'],
  ])('those of the requested host, if the instance listens on every address: %s', (host, name) => {
    for (const everywhere of ['0.0.0.0', '::']) {
      expect(viewsOf(config(everywhere))(host).addresses).toEqual(at(name));
    }
  });

  test('those that the owner configured, each by itself', () => {
    const viewAt = viewsOf(config('0.0.0.0', '[effis]\nurl = "https://files.example/"'));
    expect(viewAt('192.0.2.7').addresses).toEqual({
      ...at('192.0.2.7'),
      files: 'https://files.example/',
    });
  });

  test.each([
    null,
    '',
    ':7162',
    'a b',
    'a;script-src *',
    'a,b',
    'a/b',
    'a@b',
    'a?b',
    'a#b',
    'a%00b',
    "a'b",
    'a..b',
    '[::1',
    '[::1]x',
    '[:::::]',
    '1.2.3.4.5',
    '1.2.3.256',
    'a:99999',
    'a:b',
    'ä',
    'a'.repeat(300),
  ])('those of this machine, if the Host header is %j', (host) => {
    expect(hostName(host)).toBeUndefined();
    expect(viewsOf(config('0.0.0.0'))(host).addresses).toEqual(LOCAL);
  });

  test('never built from a name that could add to the policy', () => {
    const viewAt = viewsOf(config('0.0.0.0'));
    const directives = contentSecurityPolicy(LOCAL).split(';').length;
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (host) => {
        const { policy } = viewAt(host);
        expect(policy.split(';')).toHaveLength(directives);
        expect(policy).not.toMatch(/[^ -~]|[,"]/);
      }),
    );
  });
});

test('the latest view stays the same object as long as no other is requested', () => {
  const viewAt = viewsOf(config('0.0.0.0'));
  const first = viewAt('192.0.2.7');
  expect(viewAt('192.0.2.7:7162')).toBe(first);
  expect(viewAt('192.0.2.8')).not.toBe(first);
});

test('[WC8] the policy allows itself and the three components by their origins', () => {
  const policy = contentSecurityPolicy({
    rest: 'https://chat.example/api',
    gateway: 'wss://gateway.example:444/gateway',
    files: 'https://files.example:8443/',
  });
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data: https://files.example:8443",
    'media-src blob: https://files.example:8443',
    "connect-src 'self' https://chat.example wss://gateway.example:444 https://files.example:8443",
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types dompurify hearth',
  ]);
});

test.each([
  ['http://[::1]:7159', 'http://*:7159'],
  ['http://[::1]', 'http://*'],
  ["http://a;script-src'x:7159", 'http://*:7159'],
])('[WC8] for %s, which no policy can name, the policy names scheme and port', (url, source) => {
  const policy = contentSecurityPolicy({ ...LOCAL, rest: url });
  expect(policy).toContain(
    `connect-src 'self' ${source} ws://127.0.0.1:7160 http://127.0.0.1:7161;`,
  );
});

test('[WC8] the policy names each origin once', () => {
  const url = 'https://chat.example';
  const policy = contentSecurityPolicy({
    rest: `${url}/a`,
    gateway: 'wss://chat.example',
    files: url,
  });
  expect(policy).toContain(`connect-src 'self' ${url} wss://chat.example;`);
});
