import { fileDataSchema } from '@hearth/protocol/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fakeClock } from '@hearth/testing/fake-clock';
import { RawConnection, rawRequest, requestLines } from '@hearth/testing/clients/raw-http';
import { readError, readValidationError } from '@hearth/testing/clients/read-error';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';

const MESSAGE = '{"author":"ada","content":"x"}';

/** One request a minute at every route, 10 bytes of uploads. */
const NARROW_LIMITS = `
[oprish.rate_limits]
info = { reset_after = 60, limit = 1 }
message_create = { reset_after = 60, limit = 1 }
message_list = { reset_after = 60, limit = 1 }
rate_limits = { reset_after = 60, limit = 1 }
[effis.rate_limits]
attachments = { reset_after = 60, limit = 2, file_size_limit = 10 }
fetch_file = { reset_after = 60, limit = 1 }
`;

let instance: TestInstance;
let narrow: TestInstance;
const clock = fakeClock();

beforeAll(async () => {
  [instance, narrow] = await Promise.all([
    startTestInstance(),
    startTestInstance({ toml: NARROW_LIMITS, clock }),
  ]);
});

afterAll(async () => {
  await instance[Symbol.asyncDispose]();
  await narrow[Symbol.asyncDispose]();
});

function post({ addresses }: TestInstance, body: string): Promise<Response> {
  return fetch(`${addresses.rest}/messages`, { method: 'POST', body });
}

function upload({ addresses }: TestInstance, content: string): Promise<Response> {
  const body = new FormData();
  body.append('file', new File([content], 'file.txt'));
  return fetch(`${addresses.files}/attachments`, { method: 'POST', body });
}

/** Sends everything before it reads anything, as simple clients do. */
async function writeFirst(url: string, lines: string, megabytes: number): Promise<Response> {
  using connection = await RawConnection.connect(url);
  await connection.send(lines);
  const isChunked = lines.includes('chunked');
  const piece = Buffer.alloc(1_000_000, ' ');
  for (let sent = 0; sent < megabytes; sent += 1) {
    if (isChunked) await connection.send(`${piece.byteLength.toString(16)}\r\n`);
    await connection.send(piece);
    if (isChunked) await connection.send('\r\n');
  }
  if (isChunked) await connection.send('0\r\n\r\n');
  return await connection.answer();
}

describe('[ER2] a RateLimitedError', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/rate_limits'],
    ['GET', '/messages'],
    ['POST', '/messages'],
  ])('one request too many is answered with it: %s %s', async (method, path) => {
    const request = () =>
      fetch(narrow.addresses.rest + path, { method, body: method === 'GET' ? null : MESSAGE });
    expect((await request()).status).toBe(200);
    clock.advance(1_000);
    const answer = await request();
    expect(answer.headers.get('retry-after')).toBe('59');
    expect(await readError(answer)).toEqual({
      status: 429,
      message: 'You are being rate limited',
      data: { retry_after: 59_000 },
    });
    clock.advance(59_000);
    expect((await request()).status).toBe(200);
  });

  test('a request of the file service is answered with it too', async () => {
    const answers = [await fetch(narrow.addresses.files), await fetch(narrow.addresses.files)];
    expect(answers.map(({ status }) => status)).toEqual([405, 429]);
  });
});

test('[ER3] a FileSizeRateLimitedError reports the wait and the bytes that are left', async () => {
  expect((await upload(narrow, '1234567')).status).toBe(200);
  clock.advance(20_000);
  const { status, data } = await readError(await upload(narrow, '1234'));
  expect([status, data]).toEqual([429, { retry_after: 40_000, bytes_left: 3 }]);
});

describe('[ER4] a ValidationError', () => {
  test('the error reports the field and what is wrong with it', async () => {
    expect(await readError(await post(instance, '{"author":"a"}'))).toEqual({
      status: 422,
      message: 'Invalid author: must be text of 2 to 32 characters',
      data: { field_name: 'author', error: 'must be text of 2 to 32 characters' },
    });
  });

  test('[ER7] an upload that is not a form is answered with it', async () => {
    const answer = await fetch(`${instance.addresses.files}/attachments`, {
      method: 'POST',
      body: '{}',
    });
    expect((await readValidationError(answer)).field).toBe('body');
  });
});

test.each([
  '/nowhere',
  '/messages/1/text',
  '/RATE_LIMITS',
  '/index.html',
  '/robots.txt',
  '/favicon.ico',
])('[ER5] %s of either service is answered with a NotFoundError without data', async (path) => {
  for (const url of [instance.addresses.rest, instance.addresses.files]) {
    expect(await readError(await fetch(url + path))).toEqual({
      status: 404,
      message: 'The requested resource could not be found',
    });
  }
});

test('[ER6] a ServerError names what failed but not how', async () => {
  await using broken = await startTestInstance();
  const uploaded: unknown = await (await upload(broken, 'content')).json();
  expect(uploaded).toMatchObject({ name: 'file.txt' });
  await rm(join(broken.folder, 'data/blobs'), { recursive: true });
  const answer = await upload(broken, 'other content');
  expect(answer.headers.get('x-ratelimit-request-count')).toBe('2');
  expect(await readError(answer)).toEqual({
    status: 500,
    message: 'The server failed to handle this request',
    data: { error: 'Storing the file failed' },
  });
});

describe('[ER7] every error has the envelope', () => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])(
    'whatever is asked for by %s, and whatever is accepted',
    async (method) => {
      for (const url of [instance.addresses.rest, instance.addresses.files]) {
        const lines = requestLines(method, '/no/such/thing', 'Accept: text/html, */*;q=0');
        expect((await readError(await rawRequest(url, lines))).status).toBe(404);
      }
    },
  );

  test.each([
    ['a 422', 'POST', '/messages', 422],
    ['a 404', 'POST', '/nowhere', 404],
    ['a 405', 'PUT', '/messages', 405],
  ])(
    'also %s to a client that writes 30 MB before it reads',
    async (_what, method, path, status) => {
      for (const framing of ['Content-Length: 30000000', 'Transfer-Encoding: chunked']) {
        const lines = requestLines(method, path, framing);
        const answer = await writeFirst(instance.addresses.rest, lines, 30);
        expect((await readError(answer)).status).toBe(status);
      }
    },
  );

  test('also a 429 for a client that writes 30 MB before it reads', async () => {
    await post(narrow, MESSAGE);
    for (const framing of ['Content-Length: 30000000', 'Transfer-Encoding: chunked']) {
      const lines = requestLines('POST', '/messages', framing);
      const answer = await writeFirst(narrow.addresses.rest, lines, 30);
      expect((await readError(answer)).status).toBe(429);
    }
  });

  test('also an error for a client of the file service that writes 30 MB before it reads', async () => {
    for (const path of ['/nobucket', '/attachments', '/attachments/1/data']) {
      const lines = requestLines('POST', path, 'Content-Length: 30000000');
      const { status } = await readError(await writeFirst(instance.addresses.files, lines, 30));
      expect([422, 405]).toContain(status);
    }
  });

  test('and leaves the connection usable for the next request', async () => {
    using connection = await RawConnection.connect(instance.addresses.rest);
    for (const body of ['{', ' '.repeat(200_000), MESSAGE]) {
      const lines = requestLines('POST', '/messages', `Content-Length: ${body.length}`);
      await connection.send(lines + body);
      expect((await connection.answer()).status).toBe(body === MESSAGE ? 200 : 422);
    }
  });
});

describe('[ER8] a status beyond the documented ones has the envelope without data:', () => {
  test('405', async () => {
    const answer = await fetch(`${instance.addresses.rest}/messages`, { method: 'DELETE' });
    expect(await readError(answer)).toEqual({
      status: 405,
      message: 'This resource answers GET, HEAD, POST, OPTIONS only',
    });
  });

  test('416', async () => {
    const uploaded = await upload(instance, 'content');
    const { id } = fileDataSchema.parse(await uploaded.json());
    const headers = { Range: 'bytes=7-' };
    const answer = await fetch(`${instance.addresses.files}/${id}`, { headers });
    expect(answer.headers.get('content-range')).toBe('bytes */7');
    expect(Object.keys(await readError(answer))).toEqual(['status', 'message']);
    expect(answer.status).toBe(416);
  });

  test('417', async () => {
    const answer = await fetch(`${instance.addresses.rest}/messages`, {
      method: 'POST',
      headers: { Expect: 'a miracle' },
      body: '{}',
    });
    expect(Object.keys(await readError(answer))).toEqual(['status', 'message']);
    expect(answer.status).toBe(417);
  });

  test('426', async () => {
    const answer = await fetch(instance.addresses.gateway.replace('ws:', 'http:'));
    expect(Object.keys(await readError(answer))).toEqual(['status', 'message']);
    expect([answer.status, answer.headers.get('upgrade')]).toEqual([426, 'websocket']);
  });
});

test('[ER1] an error has a status, a message and, if there is any, data', async () => {
  const answers = [
    await fetch(`${instance.addresses.rest}/nowhere`),
    await post(instance, ''),
    await fetch(`${instance.addresses.files}/attachments/1/data`),
  ];
  const keys = await Promise.all(
    answers.map(async (answer) => Object.keys(await readError(answer))),
  );
  expect(keys).toEqual([
    ['status', 'message'],
    ['status', 'message', 'data'],
    ['status', 'message'],
  ]);
});
