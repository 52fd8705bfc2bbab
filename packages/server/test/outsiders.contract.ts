import { RawConnection } from '@hearth/testing/clients/raw-http';
import { RawSocket } from '@hearth/testing/clients/raw-socket';
import { RestPerson } from '@hearth/testing/clients/rest-person';
import { encodeForm, filePart, postForm, readFileData } from '@hearth/testing/clients/upload-form';
import { OPCODES } from '@hearth/testing/clients/web-socket-frames';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  webAddressOf,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { webFolder } from '@hearth/testing/instances/web-folder';
import { describe, expect, test } from 'bun:test';
import { jsonLogger, LEVELS } from '../src/log/logger.ts';

/** Parts of paths that name nothing, or are no text. */
const PARTS = [
  'none',
  '%00',
  '%',
  '%zz',
  '%ff%fe',
  '%ed%a0%80',
  '%F0%9F%98%80',
  '99999999999999999999999999',
  '18446744073709551616',
  '-1',
  '..%2f..%2fetc',
  'x'.repeat(3_000),
];

/** Places of the web client that have a page, or a feed. */
const PAGES = [
  '/c/*',
  '/c/*.rss',
  '/c/*.atom',
  '/c/garden/*',
  '/c/garden/*.rss',
  '/c/*/1.atom',
  '/c/garden/p/*/x',
  '/c/garden/p/*/x.rss',
  '/c/garden/1/*',
  '/u/*',
  '/u/*.rss',
  '/invite/*',
  '/assets/*',
  '/*',
];

const OF_REST = [
  '/messages?before=*',
  '/messages?limit=*',
  '/search?q=*',
  '/search?q=x&in=*',
  '/users/*',
  '/users/by-name/*',
  '/communities/*',
  '/communities/by-slug/*',
  '/channels/*/messages',
  '/channels/*/posts',
  '/posts/*',
  '/posts/*/comments',
  '/comments/*',
  '/invites/*',
  '/*',
];

const OF_FILES = [
  '/attachments/*',
  '/attachments/*/data',
  '/static/*',
  '/media/*',
  '/files/*',
  '/*/1',
];

/** Bytes that are no HTTP, and heads that break its rules. */
const BROKEN = [
  'SSH-2.0-OpenSSH_9.9\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  'GET / HTTP/9.9\r\nHost: h\r\n\r\n',
  'GET http:///\\ HTTP/1.1\r\nHost: h\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: [::\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: h\r\nCookie: \u0001\r\n\r\n',
  'BREW / HTTP/1.1\r\nHost: h\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n',
  'CONNECT example.org:443 HTTP/1.1\r\nHost: h\r\n\r\n',
];

/** Headers that are wrong, one at a time. */
const HEADERS = [
  'Authorization: Bearer x.y.z',
  'Authorization: Bearer \u00ff',
  'Authorization: Basic eDp5',
  'Cookie: %;=;a=%ff; a',
  'Range: bytes=9-1',
  'Range: bytes=999999999999999999999-',
  'If-None-Match: "\u00ff',
  'Accept: ;;;q=x',
  'Accept-Encoding: gzip;q=9, %',
  'Accept-Language: %%',
  'X-Forwarded-For: x, %00',
  'Sec-Fetch-Mode: navigate',
  'Host: xn--a.%00',
  'Access-Control-Request-Headers: \u00ff',
];

/** Bodies that are wrong, with their headers. */
const BODIES: readonly (readonly [headers: string, body: string])[] = [
  ['Content-Length: 1', '{'],
  ['Content-Length: 2', '\u00ff\u00ff'],
  ['Content-Length: 4', 'null'],
  ['Content-Length: 19', '{"author":"\\u0000"}'],
  ['Content-Type: multipart/form-data\r\nContent-Length: 3', 'abc'],
  ['Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 9', '--x\r\nabc\r'],
  ['Transfer-Encoding: chunked', '3\r\nabc\r\n0\r\n\r\n'],
  ['Expect: nonsense\r\nContent-Length: 2', '{}'],
];

/** Bodies that end before they should, with their headers. */
const SHORT_BODIES: typeof BODIES = [
  ['Content-Length: 999999999', '{'],
  ['Transfer-Encoding: chunked', 'zz\r\n'],
  ['Transfer-Encoding: chunked', '5\r\nabc'],
  ['Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 90', '--x\r\nabc\r'],
  ['Content-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked', '3\r\n--x\r\n'],
];

const WRITES = ['/messages', '/attachments', '/users', '/c/garden.rss', '/'];

const spread = (paths: readonly string[]) =>
  paths.flatMap((path) => PARTS.map((part) => path.replace('*', part)));

const lines = (method: string, path: string, ...headers: readonly string[]) =>
  [`${method} ${path} HTTP/1.1`, 'Host: h', ...headers, '', ''].join('\r\n');

/** The time that a client stays. */
type Stay = 'answered' | 'ending' | 'cut';

/** Sends bytes on a connection of their own, and waits until they are answered, or until the other side ends it. */
async function send(url: string, bytes: string, stay: Stay = 'answered'): Promise<void> {
  using connection = await RawConnection.connect(url);
  await connection.send(Buffer.from(bytes, 'latin1'));
  if (stay === 'cut') return;
  if (stay === 'ending') connection.end();
  const isHead = bytes.startsWith('HEAD ');
  // Some are answered with the end of the connection.
  await (stay === 'ending' ? connection.rest() : connection.answer({ toHead: isHead })).catch(
    () => {},
  );
}

/** Starts the instance of an engine, with these options. */
export type StartLogging = (
  options: Parameters<typeof startTestInstance>[0],
) => Promise<TestInstance>;

/** Sends bad requests to every component, and checks that none is logged as a fault of the instance. */
export function outsidersContract(
  engine: string,
  start: StartLogging,
  { skip = false } = {},
): void {
  describe.skipIf(skip)(`on ${engine}`, () => {
    test('[OP75] no request of an outsider, however wrong, is logged as a fault', async () => {
      const logged: string[] = [];
      await using folder = await webFolder();
      await using instance = await start({
        toml: `registration = "open"\n${GENEROUS_LIMITS}`,
        web: folder.path,
        log: jsonLogger('info', (line) => logged.push(line)),
      });
      const ada = await RestPerson.register(instance, 'ada');
      await ada.garden('garden', { visibility: 'public', kind: 'both' });
      logged.length = 0;
      await sendAll(instance);
      await instance.stop();
      const faults = logged
        .map((line) => JSON.parse(line))
        .filter(({ level }) => level > LEVELS.info);
      expect(faults).toEqual([]);
      expect(logged.join('')).toContain('"refusal":"NotFoundError"');
    });
  });
}

async function sendAll(instance: TestInstance): Promise<void> {
  const web = webAddressOf(instance);
  const { rest, files, gateway } = instance.addresses;
  const ports = [web, rest, files, gateway.replace(/^ws/, 'http')];
  const gets = (url: string, paths: readonly string[]) =>
    spread(paths).map((path) => () => send(url, lines('GET', path)));
  const works = [
    ...gets(web, PAGES),
    ...gets(web, ['/api/posts/*', '/files/*', '/gateway/*']),
    ...gets(rest, OF_REST),
    ...gets(files, OF_FILES),
    ...ports.flatMap((url) => [
      ...BROKEN.map((bytes) => () => send(url, bytes, 'ending')),
      ...['/c/none.rss', '/messages', '/attachments/1', '/'].flatMap((path) => [
        ...HEADERS.map((header) => () => send(url, lines('GET', path, header))),
        ...['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map(
          (method) => () => send(url, lines(method, path)),
        ),
        // A client that is gone before its answer.
        () => send(url, lines('GET', path), 'cut'),
      ]),
      ...WRITES.flatMap((path) => [
        ...BODIES.map(
          ([headers, body]) =>
            () =>
              send(url, lines('POST', path, headers) + body),
        ),
        ...SHORT_BODIES.map(
          ([headers, body]) =>
            () =>
              send(url, lines('POST', path, headers) + body, 'ending'),
        ),
      ]),
    ]),
    () => cutTransfers(files),
    () => strangeSockets(gateway),
  ];
  // A few at a time, as the system allows a process only so many connections.
  const queue = works.values();
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      for (const work of queue) await work();
    }),
  );
}

/** Downloads that are wrong or broken off, and uploads that end early. */
async function cutTransfers(files: string): Promise<void> {
  const form = encodeForm(filePart(new Uint8Array(3_000_000)));
  const { id } = await readFileData(await postForm(`${files}/attachments`, form));
  for (const range of ['bytes=9-1', 'bytes=3000000-', 'bytes=a-b', 'bytes=0-1,5-6', 'x=1-2']) {
    await send(files, lines('GET', `/attachments/${id}`, `Range: ${range}`));
  }
  await send(files, lines('GET', `/attachments/${id}`), 'cut');
  const head = lines(
    'POST',
    '/attachments',
    `Content-Type: ${form.contentType}`,
    `Content-Length: ${form.body.length}`,
  );
  const half = form.body.subarray(0, form.body.length / 2).toString('latin1');
  await send(files, head + half, 'cut');
}

/** Sockets that send what is no event, or no WebSocket, and sockets that end without a word. */
async function strangeSockets(gateway: string): Promise<void> {
  const nonsense = ['{', 'null', '[]', '\u0000', '{"op":"AUTHENTICATE"}', '{"op":"WATCH","d":1}'];
  const deep = '['.repeat(5_000);
  for (const target of ['/', '/?v=2', '/?v=1&since=x', '/?v=%00', '/%ff', '/?v=2&v=1']) {
    using socket = await RawSocket.connect(gateway, { target });
    for (const text of [...nonsense, deep]) {
      socket.sendText(text);
    }
    socket.send(OPCODES.binary, Buffer.of(0xff, 0xfe));
  }
  for (const header of [
    'Sec-WebSocket-Protocol: ,,;=\u00ff',
    'Sec-WebSocket-Extensions: permessage-deflate; x=%, ,',
    'Sec-WebSocket-Key: x',
    'Authorization: Bearer \u00ff',
    'Content-Length: 5',
    'Transfer-Encoding: chunked',
  ]) {
    using _socket = await RawSocket.connect(gateway, { headers: [header] });
  }
  using broken = await RawSocket.connect(gateway);
  broken.send(OPCODES.text, 'x', { reservedBits: 0x70 });
  await broken.ended;
}
