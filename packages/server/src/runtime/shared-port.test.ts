import { afterEach, beforeEach, expect, test } from 'bun:test';
import { RawConnection, requestLines } from '@hearth/testing/clients/raw-http';
import { freePorts } from '@hearth/testing/free-ports';
import { serveHttp, type ServiceAtPort } from './http-server.ts';
import type { Listener } from './listener.ts';
import { ServedService } from './served-service.ts';
import { serveSharedPort } from './shared-port.ts';

const MOST_REQUESTS = 4;
/** More than the system buffers for a client that reads nothing. */
const LARGE = new Blob([new Uint8Array(16_000_000)]);

let listeners: Listener[];
let own: string;
let shared: string;

/** A service that answers `/large`, and everything else in small; it refuses what is too much. */
function bounded(): ServedService {
  return new ServedService({
    silenceSeconds: 10,
    unreadSeconds: 10,
    mostRequests: MOST_REQUESTS,
    onCrowd: () => new Response('crowded', { status: 500 }),
  });
}

const at = (service: ServedService, name: string): ServiceAtPort => ({
  service,
  handle: ({ url }) => new Response(url.endsWith('/large') ? LARGE : name),
  posts: { [`/${name}/post`]: async (request) => new Response(await request.text()) },
});

beforeEach(async () => {
  const [first = 0, second = 0] = await freePorts(2);
  const [files, page] = [bounded(), bounded()];
  const [filesHere, pageHere] = [at(files, 'files'), at(page, 'page')];
  const place = { hostname: '127.0.0.1', onFault: () => new Response('fault') };
  listeners = [
    serveHttp({ ...place, port: first, ...at(files, 'files') }),
    serveSharedPort({
      ...place,
      port: second,
      services: [filesHere, pageHere],
      sockets: undefined,
      choose: ({ url }) => (url.includes('/files') ? filesHere : pageHere),
    }),
  ];
  own = `http://127.0.0.1:${first}`;
  shared = `http://127.0.0.1:${second}`;
});

afterEach(async () => {
  await Promise.all(listeners.map((listener) => listener.terminate()));
});

const textOf = async (url: string) => (await fetch(url)).text();

test('a shared port answers for each service, and finds its posts', async () => {
  expect(await textOf(`${shared}/files/x`)).toBe('files');
  expect(await textOf(`${shared}/x`)).toBe('page');
  for (const path of ['/files/post', '/page/post']) {
    const answer = await fetch(shared + path, { method: 'POST', body: path });
    expect(await answer.text()).toBe(path);
  }
});

test('[OA5] the requests of a service at all its ports are bounded together, and those of the others are not', async () => {
  using held = new DisposableStack();
  for (const url of [own, `${shared}/files`, own, `${shared}/files`]) {
    const unread = held.use(await RawConnection.connect(url));
    await unread.send(requestLines('GET', `${new URL(url).pathname}/large`.replace('//', '/')));
  }
  while ((await textOf(own)) !== 'crowded');
  expect(await textOf(`${shared}/files`)).toBe('crowded');
  for (let again = 0; again < 3 * MOST_REQUESTS; again += 1) {
    expect(await textOf(shared)).toBe('page');
  }
  held.dispose();
  while ((await textOf(own)) === 'crowded');
  while ((await textOf(`${shared}/files`)) === 'crowded');
});

test('[OA5] requests of another service at the same port do not count', async () => {
  using held = new DisposableStack();
  for (let count = 0; count < MOST_REQUESTS; count += 1) {
    const unread = held.use(await RawConnection.connect(shared));
    await unread.send(requestLines('GET', '/large'));
  }
  while ((await textOf(shared)) !== 'crowded');
  expect([await textOf(own), await textOf(`${shared}/files`)]).toEqual(['files', 'files']);
});
