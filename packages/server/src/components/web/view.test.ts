import { named } from '@hearth/testing/instances/named';
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readEnvironment } from '../../config/environment.ts';
import { parseInstanceFile } from '../../config/instance-file.ts';
import type { Config } from '../../config/config.ts';
import { contentSecurityPolicy, hostIn, scriptSources, viewsOf } from './view.ts';

const LOCAL = {
  rest: 'http://127.0.0.1:7159',
  gateway: 'ws://127.0.0.1:7160',
  files: 'http://127.0.0.1:7161',
};

const SCRIPTS = { scripts: ['/assets/a.js', '/assets/b.js'], workers: ['/sw.js'] };

/** The configuration of a process that runs nothing but the web client, or these components. */
function config(host: string, toml = '', components = 'web'): Config {
  const file = parseInstanceFile(named(toml), 'instance.toml');
  if (file.state !== 'read') throw new Error(`it is ${file.state}`);
  const { deployment } = readEnvironment({ HOST: host, COMPONENTS: components }, '/srv');
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
      const viewAt = viewsOf(config(host), SCRIPTS);
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
      expect(viewsOf(config(everywhere), SCRIPTS)(host).addresses).toEqual(at(name));
    }
  });

  test('those that the owner configured, each by itself', () => {
    const viewAt = viewsOf(config('0.0.0.0', '[effis]\nurl = "https://files.example/"'), SCRIPTS);
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
    expect(hostIn(host)).toBeUndefined();
    expect(viewsOf(config('0.0.0.0'), SCRIPTS)(host).addresses).toEqual(LOCAL);
  });

  test('the addresses are never built from a name that could add to the policy', () => {
    const viewAt = viewsOf(config('0.0.0.0'), SCRIPTS);
    const separators = /[;,]/;
    const directives = viewAt(null).policy.split(separators).length;
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (host) => {
        const { policy } = viewAt(host);
        expect(policy.split(separators)).toHaveLength(directives);
        expect(policy).not.toMatch(/[^ -~]|"/);
      }),
    );
  });
});

test('[SY11] the views of eight hosts stay the same objects, whatever their order', () => {
  const viewAt = viewsOf(config('0.0.0.0'), SCRIPTS);
  const hosts = Array.from({ length: 8 }, (_, at) => `192.0.2.${at}`);
  const views = hosts.map(viewAt);
  expect(new Set(views).size).toBe(8);
  expect(new Set([...views, ...hosts.map((host) => viewAt(`${host}:7162`))]).size).toBe(8);
  expect(viewAt('192.0.2.8')).not.toBe(viewAt('192.0.2.7'));
});

test('[WC8][WC8a] the policy allows itself and the three components by their origins', () => {
  const policy = contentSecurityPolicy(
    {
      rest: 'https://chat.example/api',
      gateway: 'wss://gateway.example:444/gateway',
      files: 'https://files.example:8443/',
    },
    [],
  );
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
  ['http://my_nas:7159', 'http://*:7159'],
  ['https://a.my_nas.chat.example', 'https://*.chat.example'],
  ["http://a;script-src'x:7159", 'http://*:7159'],
])(
  '[WC8][WC300a] for %s, which no policy can name, the policy names the rest of the address',
  (url, source) => {
    const policy = contentSecurityPolicy({ ...LOCAL, rest: url }, []);
    expect(policy).toContain(
      `connect-src 'self' ${source} ws://127.0.0.1:7160 http://127.0.0.1:7161;`,
    );
  },
);

test('[WC8] the policy names each origin once', () => {
  const url = 'https://chat.example';
  const policy = contentSecurityPolicy(
    {
      rest: `${url}/a`,
      gateway: 'wss://chat.example',
      files: url,
    },
    [],
  );
  expect(policy).toContain(`connect-src 'self' ${url} wss://chat.example;`);
});

test("[WC8] components at the page's own origin are that origin in the policy", () => {
  const policy = contentSecurityPolicy(LOCAL, ['rest', 'gateway', 'files']);
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining([
      "img-src 'self' blob: data:",
      "media-src blob: 'self'",
      "connect-src 'self'",
    ]),
  );
  expect(contentSecurityPolicy(LOCAL, ['files'])).toContain(
    `connect-src 'self' ${LOCAL.rest} ${LOCAL.gateway};`,
  );
});

describe('[OA7] the policy of scripts', () => {
  test('the policy names the files of the page, under any host', () => {
    expect(scriptSources(SCRIPTS, undefined)).toBe(
      'script-src http://*:*/assets/a.js http://*:*/assets/b.js; worker-src http://*:*/sw.js',
    );
    expect(viewsOf(config('0.0.0.0'), SCRIPTS)('h').policy).toEndWith(
      `, ${scriptSources(SCRIPTS, undefined)}`,
    );
  });

  test('the policy names them also below the path of the public address', () => {
    const sources = scriptSources({ ...SCRIPTS, scripts: ['/assets/a.js'] }, 'https://h/chat/');
    expect(sources).toBe(
      'script-src http://*:*/assets/a.js http://*:*/chat/assets/a.js; worker-src http://*:*/sw.js http://*:*/chat/sw.js',
    );
  });

  test('the policy allows none if the page has none, and no name of a file adds to it', () => {
    expect(scriptSources({ scripts: [], workers: [] }, undefined)).toBe(
      "script-src 'none'; worker-src 'none'",
    );
    expect(scriptSources({ scripts: ['/assets/a;b,c d.js'], workers: [] }, undefined)).toBe(
      "script-src http://*:*/assets/a%3Bb%2Cc%20d.js; worker-src 'none'",
    );
  });
});

test.each(['', 'public_url = "https://chat.example/x"', '[effis]\nurl = "https://[::1]:81/"'])(
  '[WC300] every source of the policies has a scheme or is a keyword, with %j',
  (toml) => {
    for (const components of ['web', 'rest,gateway,files,web']) {
      const { policy } = viewsOf(config('0.0.0.0', toml, components), SCRIPTS)('nas:7162');
      const directives = policy.split(/[;,] /).map((directive) => directive.split(' '));
      const sources = directives.flatMap(([name, ...values]) =>
        name?.endsWith('-src') === true ? values : [],
      );
      expect(sources).toContain('http://*:*/sw.js');
      for (const source of sources) {
        expect(source).toMatch(
          /^(?:'[a-z]+'|[a-z]+:|(?:http|ws)s?:\/\/(?:\*|[a-z0-9.-]+)(?::[\d*]+)?[^*]*)$/,
        );
      }
    }
  },
);

describe('[OA4] a process that runs the components', () => {
  const ALL = 'rest,gateway,files,web';
  const below = (host: string) => ({
    rest: `http://${host}/api`,
    gateway: `ws://${host}/gateway`,
    files: `http://${host}/files`,
  });

  test.each(['127.0.0.1', '0.0.0.0', '::'])(
    'on %s has the addresses by which its page was opened',
    (host) => {
      const viewAt = viewsOf(config(host, '', ALL), SCRIPTS);
      expect(viewAt('Chat.example:81').addresses).toEqual(below('chat.example:81'));
      expect(viewAt('[2001:DB8::1]').addresses).toEqual(below('[2001:db8::1]'));
      expect(viewAt('a;b').addresses).toEqual(
        below(host === '::' ? 'localhost:7162' : '127.0.0.1:7162'),
      );
      expect(viewAt('h').own).toMatchObject({
        paths: { rest: 'api', gateway: 'gateway', files: 'files' },
        has_public_url: false,
      });
    },
  );

  test('the process names the other addresses that its files may have in messages', () => {
    const viewAt = viewsOf(config('0.0.0.0', '', ALL), SCRIPTS);
    expect(viewAt('nas:7162').own.file_addresses).toEqual([
      'http://127.0.0.1:7161',
      'http://nas:7161',
    ]);
    // A message lists only those of its files that it names by these.
    expect(viewAt('nas:7162').own.listed_addresses).toEqual([
      'http://127.0.0.1:7161',
      'http://nas:7161',
      'http://127.0.0.1:7162/files',
      'http://nas:7162/files',
    ]);
  });

  test('and has a public address gives that, and its page still uses its own origin', () => {
    const toml = 'public_url = "https://chat.example/x/"\n[web]\napi_path = "/rest"';
    const viewAt = viewsOf(config('0.0.0.0', toml, ALL), SCRIPTS);
    expect(viewAt('nas:7162').addresses).toEqual({
      rest: 'https://chat.example/x/rest',
      gateway: 'wss://chat.example/x/gateway',
      files: 'https://chat.example/x/files',
    });
    expect(viewAt('nas:7162').own).toMatchObject({
      paths: { rest: 'rest', gateway: 'gateway', files: 'files' },
      has_public_url: true,
    });
    expect(viewAt('nas:7162').policy).toContain("connect-src 'self';");
  });

  test('the process leaves what has its own url, or another process runs, where that is', () => {
    const toml = '[effis]\nurl = "https://files.example/"';
    const viewAt = viewsOf(config('0.0.0.0', toml, 'rest,files,web'), SCRIPTS);
    expect(viewAt('nas:81')).toMatchObject({
      addresses: {
        rest: 'http://nas:81/api',
        gateway: 'ws://nas:7160',
        files: 'https://files.example/',
      },
      own: { paths: { rest: 'api' }, file_addresses: [] },
    });
  });
});
