import { expect, test } from 'bun:test';
import { bannerText, type Started } from './banner.ts';

const started: Started = {
  addresses: { rest: 'http://h:1', gateway: 'ws://h:2', files: 'https://files.example/hearth/' },
  deployment: {
    instanceFile: '/home/ada/instance.toml',
    instanceFileGiven: false,
    dataDir: '/home/ada/data',
    host: '127.0.0.1',
    restPort: 1,
    gatewayPort: 2,
    filesPort: 3,
    trustedProxies: [],
    logLevel: 'silent',
  },
  wroteInstanceFile: true,
};
const onHost = (host: string) =>
  bannerText({ ...started, deployment: { ...started.deployment, host } });

test('a banner says where everything is and what to try', () => {
  const text = bannerText(started);
  for (const line of [
    'REST service   http://h:1',
    'gateway        ws://h:2',
    'file service   https://files.example/hearth/',
    'instance file  /home/ada/instance.toml (just written',
    'data           /home/ada/data',
    'npx --yes wscat -c ws://h:2',
    `curl -d '{"author":"ada","content":"Hello, hearth!"}' http://h:1/messages`,
    'curl -F file=@photo.png https://files.example/hearth/attachments',
    'Ctrl-C stops it',
  ]) {
    expect(text).toContain(line);
  }
});

test('a banner calls only a new instance file new', () => {
  expect(bannerText({ ...started, wroteInstanceFile: false })).not.toContain('just written');
});

test.each(['127.0.0.1', '127.8.0.1', '::1', 'localhost'])(
  'the banner of an instance on %s says how to open it',
  (host) => {
    expect(onHost(host)).toContain('HOST=0.0.0.0');
  },
);

test.each(['0.0.0.0', '::', '192.0.2.1', 'chat.example'])(
  'the banner of an instance on %s does not',
  (host) => {
    expect(onHost(host)).not.toContain('HOST=');
  },
);
