import { RATE_LIMIT_HEADERS } from '@hearth/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER } from '../src/actor.ts';
import { removeStatic } from '../src/features/files/statics/add-static.ts';
import { serveHttp } from '../src/runtime/http-server.ts';
import { ServedService } from '../src/runtime/served-service.ts';
import { fakeClock } from '@hearth/testing/fake-clock';
import { freePorts } from '@hearth/testing/free-ports';
import { BEHIND_PROXY, LimitedClient, limitHeaders } from '@hearth/testing/clients/limited-client';
import { RawConnection, rawRequest, requestLines } from '@hearth/testing/clients/raw-http';
import { readError } from '@hearth/testing/clients/read-error';
import { removingProcess } from '@hearth/testing/instances/remove-uploads';
import { SlowUpload } from '@hearth/testing/clients/slow-upload';
import { addStaticFile } from '@hearth/testing/instances/static-files';
import { storedFiles } from '@hearth/testing/instances/stored-files';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { until } from '@hearth/testing/until';
import { encodeForm, filePart, randomBytes, upload } from '@hearth/testing/clients/upload-form';

const SMALL = randomBytes(1_000);
/** The size of the largest files that are still held in memory. */
const MIDDLE = randomBytes(256 * 1024);

let instance: TestInstance;
let files: string;
let paths: Readonly<Record<string, string>>;

beforeAll(async () => {
  instance = await startTestInstance({ env: BEHIND_PROXY });
  files = instance.addresses.files;
  await addStaticFile(instance, 'small.txt', SMALL);
  const { id } = await upload(files, SMALL, 'small.bin');
  const { id: middle } = await upload(files, MIDDLE, 'middle.bin');
  paths = {
    'an attachment': `/attachments/${id}`,
    'an attachment by its alias': `/${id}`,
    'an attachment for saving': `/attachments/${id}/download`,
    'an attachment for saving, by its alias': `/${id}/download`,
    'an attachment of 256 KiB': `/attachments/${middle}`,
    'a static file': '/static/small.txt',
    'a static file for saving': '/static/small.txt/download',
  };
});

afterAll(() => instance[Symbol.asyncDispose]());

const kinds: readonly [kind: string, bytes: Buffer<ArrayBuffer>][] = [
  ['an attachment', SMALL],
  ['an attachment by its alias', SMALL],
  ['an attachment for saving', SMALL],
  ['an attachment for saving, by its alias', SMALL],
  ['an attachment of 256 KiB', MIDDLE],
  ['a static file', SMALL],
  ['a static file for saving', SMALL],
];

/** A request as `client` sends it on its own connection. */
function linesOf(
  client: LimitedClient,
  target: string,
  { method = 'GET', headers = [] }: { method?: string; headers?: readonly string[] } = {},
): string {
  const own = Object.entries(client.headers).map(([name, value]) => `${name}: ${value}`);
  return requestLines(method, target, ...own, ...headers);
}

/** Every header except those that say when it was made and how many requests came before. */
function lasting(answer: Response): Record<string, string> {
  const passing = ['date', 'keep-alive', RATE_LIMIT_HEADERS.requestCount.toLowerCase()];
  return Object.fromEntries([...answer.headers].filter(([name]) => !passing.includes(name)));
}

/** The text of a file that exists. */
async function textOf(url: string): Promise<string> {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  return answer.text();
}

describe.each(kinds)('%s that is fetched again', (kind, bytes) => {
  const target = () => paths[kind] ?? '';

  test('[FS2][FS5][LI12] the answer is the same each time, and the request count rises', async () => {
    const client = new LimitedClient();
    const answers: ReturnType<typeof lasting>[] = [];
    for (let count = 1; count <= 3; count += 1) {
      const answer = await rawRequest(files, linesOf(client, target()));
      expect([answer.status, limitHeaders(answer).requestCount]).toEqual([200, count]);
      expect(Buffer.from(await answer.bytes()).equals(bytes)).toBe(true);
      answers.push(lasting(answer));
    }
    const [first, ...others] = answers;
    expect(first?.['content-length']).toBe(String(bytes.length));
    for (const other of others) expect<unknown>(other).toEqual(first);
  });

  test('[FS24][HT4] the file is answered for HEAD like for GET, and the connection can be used again', async () => {
    const client = new LimitedClient();
    using connection = await RawConnection.connect(files);
    const answers: Response[] = [];
    for (const method of ['GET', 'HEAD', 'GET', 'HEAD', 'HEAD', 'GET']) {
      await connection.send(linesOf(client, target(), { method }));
      const answer = await connection.answer({ toHead: method === 'HEAD' });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('date')).toMatch(/^\w{3}, [\w ]+ [\d:]+ GMT$/);
      if (method === 'GET') expect(Buffer.from(await answer.bytes()).equals(bytes)).toBe(true);
      answers.push(answer);
    }
    const [first, ...others] = answers.map(lasting);
    for (const other of others) expect<unknown>(other).toEqual(first);
    expect(answers.map((answer) => limitHeaders(answer).requestCount)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('[FS24][FS25] the file is sent as ranges, or as unchanged, between whole answers', async () => {
    const client = new LimitedClient();
    using connection = await RawConnection.connect(files);
    const ask = async (...headers: string[]) => {
      await connection.send(linesOf(client, target(), { headers }));
      return connection.answer();
    };
    const size = bytes.length;
    const expectWhole = async (...headers: string[]) => {
      const answer = await ask(...headers);
      expect(answer.status).toBe(200);
      expect(Buffer.from(await answer.bytes()).equals(bytes)).toBe(true);
      return answer;
    };
    const etag = (await expectWhole()).headers.get('etag') ?? '';
    const part = await ask('Range: bytes=10-19', `If-Range: ${etag}`);
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${size}`]);
    expect(Buffer.from(await part.bytes()).equals(bytes.subarray(10, 20))).toBe(true);
    await expectWhole();
    expect((await ask(`If-None-Match: ${etag}`)).status).toBe(304);
    const outside = await ask(`Range: bytes=${size}-`);
    expect(outside.headers.get('content-range')).toBe(`bytes */${size}`);
    expect((await readError(outside)).status).toBe(416);
    const several = await expectWhole('Range: bytes=0-1,5-6');
    expect(several.headers.get('content-range')).toBe(`bytes 0-${size - 1}/${size}`);
    expect((await expectWhole('Range: bytes=0-1', 'If-Range: "other"')).status).toBe(200);
    expect((await expectWhole('If-None-Match: "other"')).headers.has('content-range')).toBe(false);
  });

  test('[FS2][FS5] the file is sent to all clients that request it at the same time', async () => {
    const answers = Array.from({ length: 30 }, async () => {
      const answer = await fetch(files + target());
      return Buffer.from(await answer.bytes()).equals(bytes);
    });
    expect(await Promise.all(answers)).toEqual(answers.map(() => true));
  });
});

describe('a file that was fetched before', () => {
  test('[FS2][FS4] the file has the right Content-Disposition at each of its addresses, and FileData at /data', async () => {
    const { id } = await upload(files, 'good evening', 'hills.txt');
    const [shown, saved] = ['inline; filename=hills.txt', 'attachment; filename=hills.txt'];
    for (let round = 0; round < 3; round += 1) {
      for (const path of [`/${id}`, `/attachments/${id}`]) {
        const [inline, download, data] = await Promise.all(
          ['', '/download', '/data'].map((suffix) => fetch(files + path + suffix)),
        );
        expect(inline?.headers.get('content-disposition')).toBe(shown);
        expect(download?.headers.get('content-disposition')).toBe(saved);
        expect(await data?.json()).toMatchObject({ id, name: 'hills.txt' });
      }
    }
  });

  test('[HT6] the file is found with any number of slashes in its address', async () => {
    const { id } = await upload(files, 'slashes');
    for (let round = 0; round < 2; round += 1) {
      for (const target of [
        `//${id}`,
        `/attachments//${id}/`,
        `/${id}/?a=/`,
        `/${id}/download//`,
      ]) {
        const answer = await rawRequest(files, requestLines('GET', target));
        expect([answer.status, await answer.text()]).toEqual([200, 'slashes']);
      }
    }
  });

  test('[FS6][ID2] the file is not found under another spelling of its id', async () => {
    const { id } = await upload(files, 'good evening');
    for (let round = 0; round < 2; round += 1) {
      expect(await textOf(`${files}/${id}`)).toBe('good evening');
      for (const target of [`/0${id}`, `/+${id}`, `/${id}.0`, `/static/${id}`, `/avatars/${id}`]) {
        expect((await readError(await fetch(files + target))).status).toBe(404);
      }
    }
  });

  test('[HT5][HT3] the file has the same methods as before, and no others', async () => {
    const { id } = await upload(files, 'good evening');
    const url = `${files}/attachments/${id}`;
    for (let round = 0; round < 2; round += 1) {
      expect(await textOf(url)).toBe('good evening');
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const answer = await fetch(url, { method });
        expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
        expect((await readError(answer)).status).toBe(405);
      }
      expect((await fetch(url, { method: 'OPTIONS' })).status).toBe(204);
    }
  });

  test('[LI1][LI5][LI9][ER2] the file is refused beyond the limit, until the time frame is over', async () => {
    const clock = fakeClock();
    const toml = 'effis.rate_limits.fetch_file = { reset_after = 20, limit = 3 }';
    await using limited = await startTestInstance({ toml, clock, env: BEHIND_PROXY });
    const { id } = await upload(limited.addresses.files, 'good evening');
    const url = `${limited.addresses.files}/${id}`;
    const client = new LimitedClient();
    const frame = { reset: 20_000, max: 3, lastReset: clock.unixMs() };
    for (const method of ['GET', 'HEAD', 'GET']) {
      expect((await client.request(method, url)).status).toBe(200);
    }
    clock.advance(5_000);
    const refused = await client.get(url);
    expect(limitHeaders(refused)).toEqual({ ...frame, requestCount: 3 });
    expect(refused.headers.get('retry-after')).toBe('15');
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(['etag', 'content-disposition'].filter((name) => refused.headers.has(name))).toEqual([]);
    expect(await readError(refused)).toEqual({
      status: 429,
      message: expect.any(String),
      data: { retry_after: 15_000 },
    });
    const head = await client.request('HEAD', url);
    expect([head.status, limitHeaders(head).requestCount]).toEqual([429, 3]);
    expect(limitHeaders(await new LimitedClient().get(url)).requestCount).toBe(1);
    clock.advance(15_000);
    const next = await client.get(url);
    expect(limitHeaders(next)).toEqual({ ...frame, lastReset: clock.unixMs(), requestCount: 1 });
    expect([next.status, await next.text()]).toEqual([200, 'good evening']);
  });
});

describe('[OP11] the very next request sees what the owner has done to a file that was fetched before', () => {
  const suffixes = ['', '/download', '/data'];

  test('[OP14][FS6] an upload that is removed is not found at any of its addresses', async () => {
    await using owner = removingProcess(instance.folder);
    expect(await owner.says()).toBe('ready');
    const { id: other } = await upload(files, 'the other one');
    for (let round = 0; round < 10; round += 1) {
      const { id } = await upload(files, `gone in a moment ${round}`);
      const urls = [`${files}/${id}`, `${files}/attachments/${id}`].flatMap((url) =>
        suffixes.map((suffix) => url + suffix),
      );
      for (const url of [...urls, ...urls]) expect((await fetch(url)).status).toBe(200);
      expect(await textOf(`${files}/${other}`)).toBe('the other one');
      await owner.send(id);
      expect(await owner.says()).toBe(id);
      for (const url of urls) expect((await readError(await fetch(url))).status).toBe(404);
      expect(await textOf(`${files}/${other}`)).toBe('the other one');
    }
  });

  test('[OP15] an upload stays if another with the same bytes is removed', async () => {
    await using owner = removingProcess(instance.folder);
    expect(await owner.says()).toBe('ready');
    const [one, two] = [await upload(files, 'the twins'), await upload(files, 'the twins')];
    for (const { id } of [one, two, one, two]) {
      expect(await textOf(`${files}/${id}`)).toBe('the twins');
    }
    await owner.send(one.id);
    expect(await owner.says()).toBe(one.id);
    expect((await fetch(`${files}/${one.id}`)).status).toBe(404);
    expect(await textOf(`${files}/${two.id}`)).toBe('the twins');
  });

  test('[OP12][FS26] a static file that was replaced has the new content and a new ETag', async () => {
    await using owner = await openTestContext(instance);
    const url = `${files}/static/changing.txt`;
    const etags = new Set<string | null>();
    const rounds = ['first', 'the second', 'third', '', 'the last'];
    for (const text of rounds) {
      await addStaticFile(instance, 'changing.txt', text);
      for (const suffix of ['', '/download', '']) {
        const answer = await fetch(url + suffix);
        expect([answer.status, await answer.text()]).toEqual([200, text]);
        expect(answer.headers.get('content-length')).toBe(String(text.length));
        etags.add(answer.headers.get('etag'));
      }
    }
    expect(etags.size).toBe(rounds.length);
    await removeStatic(owner, OWNER, 'changing.txt');
    expect((await readError(await fetch(url))).status).toBe(404);
    await addStaticFile(instance, 'changing.txt', 'first');
    expect(await textOf(url)).toBe('first');
  });
});

test('[FS6] a file that was fetched before and has lost its bytes is answered with a NotFoundError at worst', async () => {
  await using other = await startTestInstance();
  const { files: address } = other.addresses;
  const { id } = await upload(address, 'good evening');
  const { id: large } = await upload(address, randomBytes(1_000_000));
  for (const path of [id, large, id, large]) {
    const answer = await fetch(`${address}/${path}`);
    expect([answer.status, (await answer.bytes()).byteLength > 0]).toEqual([200, true]);
  }
  await rm(join(other.folder, 'data', 'blobs'), { recursive: true });
  const lost = [
    fetch(`${address}/${large}`),
    fetch(`${address}/${id}`, { headers: { Range: 'bytes=0-1' } }),
  ];
  for (const answer of lost) expect((await readError(await answer)).status).toBe(404);
  expect([200, 404]).toContain((await fetch(`${address}/${id}`)).status);
});

describe('[OP7] a stop', () => {
  test('a stop waits for a running upload, however many files are served from memory meanwhile', async () => {
    await using other = await startTestInstance({ env: BEHIND_PROXY });
    const { files: address } = other.addresses;
    const { id } = await upload(address, 'good evening');
    const client = new LimitedClient();
    const form = encodeForm(filePart(randomBytes(100_000)));
    using running = await SlowUpload.begin(address, { client, form });
    await running.send(50_000);
    await until(async () => (await storedFiles(other.folder)).incoming.length > 0);
    using connection = await RawConnection.connect(address);
    for (let again = 0; again < 5; again += 1) {
      await connection.send(requestLines('GET', `/${id}`));
      expect(await (await connection.answer()).text()).toBe('good evening');
    }
    const stopped = other.stop();
    expect((await running.finish()).status).toBe(200);
    await stopped;
    const { contents, incoming } = await storedFiles(other.folder);
    expect([contents.length, incoming]).toEqual([2, []]);
  });

  test('a stop waits until a handler whose connection was cut has cleaned up, whatever else was answered at once', async () => {
    const [port = 0] = await freePorts(1);
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
    let isTakenBack = false;
    const slowly = async ({ signal }: Request) => {
      const cut = new Promise((resolve) => signal.addEventListener('abort', resolve));
      begin();
      await cut;
      for (let turn = 0; turn < 10; turn += 1)
        await new Promise((resolve) => setImmediate(resolve));
      isTakenBack = true;
      return new Response('too late');
    };
    const server = serveHttp({
      hostname: '127.0.0.1',
      port,
      service: new ServedService({
        silenceSeconds: 10,
        unreadSeconds: 120,
        mostRequests: 100,
        onCrowd: () => new Response('crowded'),
      }),
      handle: (request) => (request.url.endsWith('/now') ? new Response('now') : slowly(request)),
      onFault: () => new Response('fault'),
    });
    const url = `http://127.0.0.1:${port}`;
    using slow = await RawConnection.connect(url);
    await slow.send(requestLines('GET', '/slow'));
    await hasBegun;
    expect(await textOf(`${url}/now`)).toBe('now');
    const stopped = server.stop();
    await server.terminate();
    await stopped;
    expect(isTakenBack).toBe(true);
  });
});
