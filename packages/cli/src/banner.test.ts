import { expect, test } from 'bun:test';
import { bannerText, sharedAddress, type Started } from './banner.ts';

const started: Started = {
  addresses: { rest: 'http://h:1', gateway: 'ws://h:2', files: 'https://files.example/hearth/' },
  web: { state: 'served', url: 'http://h:4' },
  publicUrl: undefined,
  networkUrl: undefined,
  deployment: {
    instanceFile: '/home/ada/instance.toml',
    instanceFileGiven: false,
    tokenKeyFile: undefined,
    dataDir: '/home/ada/data',
    host: '127.0.0.1',
    restPort: 1,
    gatewayPort: 2,
    filesPort: 3,
    webPort: 4,
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
    logLevel: 'silent',
  },
  settings: { registration: 'invite', communityInvitesRegister: true, lobby: 'open' },
  wroteInstanceFile: true,
};
const onHost = (host: string) =>
  bannerText({ ...started, deployment: { ...started.deployment, host } });

test('a banner lists the files, the data and a command to try for each service', () => {
  const text = bannerText(started);
  for (const line of [
    'instance file  /home/ada/instance.toml (just written',
    'data           /home/ada/data',
    'listen on the gateway       npx --yes wscat -c ws://h:2',
    `post to the REST service    curl -d '{"author":"ada","content":"Hello, hearth!"}' http://h:1/messages`,
    'upload to the file service  curl -F file=@photo.png https://files.example/hearth/attachments',
    'Ctrl-C stops it',
  ]) {
    expect(text).toContain(line);
  }
});

test.each([
  ['invite', true, 'open', ['People with an invite (any member can invite)', 'Everyone, even']],
  ['invite', false, 'off', ['People with an invite from you', 'Nobody: there is no lobby']],
  ['approval', false, 'accounts', ['People whom you approve', 'People with an account (only']],
  ['open', true, 'open', ['Everyone', 'Everyone, even']],
  ['closed', true, 'open', ['Nobody', 'Everyone, even']],
] as const)(
  '[AC62] a banner says who may come in and who may use the lobby: %s, %j, %s',
  (registration, communityInvitesRegister, lobby, [comers, talkers]) => {
    const settings = { registration, communityInvitesRegister, lobby };
    const text = bannerText({ ...started, settings });
    expect(text).toContain(`\n  who comes in   ${comers}`);
    expect(text).toContain(`\n  lobby          ${talkers}`);
  },
);

test('[OP1] a banner prints each address once', () => {
  const text = bannerText(started);
  for (const address of ['http://h:1', 'ws://h:2', 'https://files.example/', 'http://h:4']) {
    expect(text.split(address)).toHaveLength(2);
  }
});

test('[WC4] the first address in a banner is the web client, with a note to open it in a browser', () => {
  const text = bannerText(started);
  const [, first] = factsIn(text);
  expect(first).toBe('  web client     http://h:4   ← open this in a browser');
  expect(/(?:http|ws)s?:.*/.exec(text)?.[0]).toBe('http://h:4   ← open this in a browser');
});

test('[WC4] if the web client is not served, a banner gives the reason in its place', () => {
  const web: Started['web'] = { state: 'missing', reason: 'port 7162: the port is in use' };
  const [, first] = factsIn(bannerText({ ...started, web }));
  expect(first).toBe('  web client     not served: port 7162: the port is in use');
});

test('[WC4] a banner does not mention a web client that is switched off', () => {
  expect(bannerText({ ...started, web: { state: 'off' } })).not.toContain('web client');
});

test('a banner marks an instance file as new only if the start wrote it', () => {
  expect(bannerText({ ...started, wroteInstanceFile: false })).not.toContain('just written');
});

test.each(['127.0.0.1', '127.8.0.1', '::1', 'localhost'])(
  'the banner of an instance on %s explains how to let other machines in',
  (host) => {
    expect(onHost(host)).toContain('HOST=0.0.0.0');
  },
);

test.each(['0.0.0.0', '::', '192.0.2.1', 'chat.example'])(
  'the banner of an instance on %s does not mention HOST',
  (host) => {
    expect(onHost(host)).not.toContain('HOST=');
  },
);

test.each(['0.0.0.0', '::'])(
  'the banner of an instance on %s says where other machines can open the web client',
  (host) => {
    expect(onHost(host)).toContain('Other machines can open the web client');
    const deployment = { ...started.deployment, host };
    expect(bannerText({ ...started, deployment, web: { state: 'off' } })).not.toContain('machines');
  },
);

test('a banner lists only the components that its process runs', () => {
  const deployment = { ...started.deployment, components: ['gateway'] as const };
  const text = bannerText({ ...started, deployment, web: { state: 'off' } });
  expect(text).toContain('  listen on the gateway  npx --yes wscat -c ws://h:2\n');
  for (const absent of ['REST service', 'file service', 'web client', 'curl']) {
    expect(text).not.toContain(absent);
  }
});

test('the banner of the web client alone shows no data folder and no commands to try', () => {
  const deployment = { ...started.deployment, components: ['web'] as const };
  const text = bannerText({ ...started, deployment });
  expect(text).toContain('web client');
  expect(text).not.toContain('Try next');
  expect(text).not.toContain('/home/ada/data');
  expect(text).toContain('set DATABASE_URL and REDIS_URL\n');
});

test('a banner shows the addresses of the servers that store the data, without passwords', () => {
  const engines = {
    databaseUrl: 'postgres://ada:secret@db:5432/hearth?sslmode=require',
    redisUrl: 'redis://:secret@cache/1',
    blobs: {
      bucket: 'files',
      prefix: 'chat',
      endpoint: undefined,
      region: 'us-east-1',
      credentials: { accessKeyId: 'ada', secretAccessKey: 'secret', sessionToken: undefined },
    },
    mail: { url: 'smtp://ada:secret@mail', from: 'hearth@example.org' },
    connectTimeoutMs: 1,
  };
  const text = bannerText({ ...started, deployment: { ...started.deployment, engines } });
  for (const line of [
    'database       postgres://db:5432/hearth\n',
    'Redis          redis://cache/1\n',
    'files in       s3://files/chat\n',
  ]) {
    expect(text).toContain(line);
  }
  expect(text).not.toMatch(/secret|ada:|home.ada.data/);
  const gateway = { ...started.deployment, components: ['gateway'] as const, engines };
  expect(bannerText({ ...started, deployment: gateway })).not.toContain('files in');
});

/** The lines of a banner that are not empty. */
function factsIn(banner: string): readonly string[] {
  return banner.split('\n').filter((line) => line !== '');
}

test('[OA11] a banner begins with the public address, then comes that in the local network', () => {
  const found = { ...started, publicUrl: 'https://chat.example', networkUrl: 'http://192.0.2.7:4' };
  expect(factsIn(bannerText(found)).slice(1, 4)).toEqual([
    '  web client       https://chat.example   ← open this in a browser',
    '  in this network  http://192.0.2.7:4',
    '  on this machine  http://h:4',
  ]);
  const { publicUrl: _public, ...local } = found;
  expect(factsIn(bannerText({ ...local, publicUrl: undefined })).slice(1, 3)).toEqual([
    '  web client       http://h:4   ← open this in a browser',
    '  in this network  http://192.0.2.7:4',
  ]);
});

test('[OA11] a banner says how to let the local network in if it cannot', () => {
  const found = { ...started, publicUrl: 'https://chat.example' };
  expect(bannerText(found)).toContain('To let the local network in, start it with HOST=0.0.0.0.');
});

test('[OA11] a banner ends with the QR code of the best address, if it is given', () => {
  expect(bannerText({ ...started, qrCode: '  █▀' })).toEndWith('\n\n  █▀\n\n');
  const [publicUrl, networkUrl] = ['https://chat.example', 'http://192.0.2.7:4'];
  const { web } = started;
  expect(sharedAddress({ web, publicUrl, networkUrl })).toBe(publicUrl);
  expect(sharedAddress({ web, publicUrl: undefined, networkUrl })).toBe(networkUrl);
  expect(sharedAddress({ web, publicUrl: undefined, networkUrl: undefined })).toBeUndefined();
  expect(sharedAddress({ web: { state: 'off' }, publicUrl, networkUrl })).toBeUndefined();
});

test('[AC52] a banner shows how to make the account of the owner, as long as there is none', () => {
  const invited = bannerText({ ...started, ownerInvite: 'K7mwP3xd9qht' });
  expect(invited).toContain('  http://h:4/#invite=K7mwP3xd9qht\n');
  expect(invited).toContain('hearth users create <name> --owner');
  const alone = bannerText({ ...started, ownerInvite: 'K7mwP3xd9qht', web: { state: 'off' } });
  expect(alone).toContain('invite code, which works once:\n  K7mwP3xd9qht\n');
  const publicUrl = 'https://chat.example.org';
  const link = '  https://chat.example.org/#invite=K7mwP3xd9qht\n';
  const there = { ...started, publicUrl, ownerInvite: 'K7mwP3xd9qht' };
  expect(bannerText(there)).toContain(link);
  // Another process serves the web client.
  expect(bannerText({ ...there, web: { state: 'off' } })).toContain(link);
  const missing = bannerText({ ...there, web: { state: 'missing', reason: 'not built' } });
  expect(missing).not.toContain('#invite');
  expect(bannerText(started)).not.toContain('owner');
});
