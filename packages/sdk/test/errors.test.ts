import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { freePorts } from '@hearth/testing/free-ports';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import {
  ApiError,
  ClosedError,
  connect,
  createClient,
  FileSizeRateLimitedError,
  HearthError,
  NetworkError,
  NotFoundError,
  QueueFullError,
  RateLimitedError,
  ServerError,
  ValidationError,
  type Client,
} from '../src/index.ts';

const NARROW_LIMITS = `
[oprish.rate_limits]
info = { reset_after = 3600, limit = 100000 }
message_create = { reset_after = 3600, limit = 3 }
[effis.rate_limits]
attachments = { reset_after = 3600, limit = 100000, file_size_limit = 1000 }
`;
const MESSAGE = { author: 'ada', content: 'x' };

let instance: TestInstance;
let narrow: TestInstance;
let client: Client;

beforeAll(async () => {
  [instance, narrow] = await Promise.all([
    startTestInstance(),
    startTestInstance({ toml: NARROW_LIMITS }),
  ]);
  client = await connect(instance.addresses.rest);
});

afterAll(async () => {
  await client.close();
  await instance[Symbol.asyncDispose]();
  await narrow[Symbol.asyncDispose]();
});

function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('an error of the instance is thrown as its class:', () => {
  test('ValidationError names the field and what is wrong with it', async () => {
    const error = await errorOf(client.send({ author: 'a', content: 'x' }));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toBeInstanceOf(HearthError);
    expect(error).toMatchObject({
      name: 'ValidationError',
      status: 422,
      message: 'Invalid author: must be text of 2 to 32 characters',
      fieldName: 'author',
      error: 'must be text of 2 to 32 characters',
    });
  });

  test('NotFoundError means that the thing does not exist', async () => {
    const error = await errorOf(client.files.fetch('123'));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ name: 'NotFoundError', status: 404 });
    expect(await errorOf(client.files.data('123'))).toBeInstanceOf(NotFoundError);
    expect(await errorOf(client.files.fetchStatic('no.css'))).toBeInstanceOf(NotFoundError);
  });

  test('RateLimitedError has the time to wait, if the request must not wait', async () => {
    await using hasty = await connect(narrow.addresses.rest, { longestLimitWaitMs: 0 });
    for (let sent = 0; sent < 3; sent += 1) await hasty.send(MESSAGE);
    // Another client of the same address does not know it yet.
    await using other = await connect(narrow.addresses.rest, { longestLimitWaitMs: 1_000 });
    for (const refused of [hasty, other, other]) {
      const error = await errorOf(refused.send(MESSAGE));
      if (!(error instanceof RateLimitedError)) throw error;
      expect(error.status).toBe(429);
      expect(error.retryAfterMs).toBeGreaterThan(3_000_000);
      expect(error.retryAfterMs).toBeLessThanOrEqual(3_600_000);
    }
  });

  test('FileSizeRateLimitedError has the bytes that are left, and comes at once if the file never fits', async () => {
    await using patient = await connect(narrow.addresses.rest);
    await patient.files.upload(new Blob(['x'.repeat(400)]));
    const error = await errorOf(patient.files.upload(new Blob(['x'.repeat(1001)])));
    if (!(error instanceof FileSizeRateLimitedError)) throw error;
    expect(error).toMatchObject({ status: 429, bytesLeft: 600 });
    expect(error.retryAfterMs).toBeGreaterThan(3_000_000);
  });

  test('ServerError names what failed', async () => {
    const incoming = join(instance.folder, 'data', 'blobs', 'incoming');
    await rename(incoming, `${incoming}-away`);
    const error = await errorOf(client.files.upload(new Blob(['x'])));
    await rename(`${incoming}-away`, incoming);
    if (!(error instanceof ServerError)) throw error;
    expect(error.status).toBe(500);
    expect(error.error).toEndWith('failed');
  });

  test('ApiError stands for every error without a class', async () => {
    const { id } = await client.files.upload(new Blob(['0123456789']));
    const error = await errorOf(client.files.fetch(id, { range: { from: 10 } }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ name: 'ApiError', status: 416 });
  });
});

describe('NetworkError', () => {
  test('the error says that no server is there, and why', async () => {
    const [port] = await freePorts(1);
    const error = await errorOf(connect(`http://127.0.0.1:${port}`));
    if (!(error instanceof NetworkError)) throw error;
    expect(error.message).toStartWith(`http://127.0.0.1:${port}/ could not be reached: `);
    expect(error.cause).toBeInstanceOf(Error);
  });

  test('the error reports an answer that does not come in time', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    if (address === null || typeof address === 'string') throw new Error('it has a port');
    const url = `http://127.0.0.1:${address.port}`;
    const error = await errorOf(connect(url, { requestTimeoutMs: 20 }));
    silent.close();
    if (!(error instanceof NetworkError)) throw error;
    expect(error.message).toBe('The instance was silent for 20 ms');
  });

  test('the error reports an answer that breaks off', async () => {
    const server = createServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"instance_name":');
        socket.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('it has a port');
    const error = await errorOf(connect(`http://127.0.0.1:${address.port}`));
    server.close();
    expect(error).toBeInstanceOf(NetworkError);
  });
});

test('a QueueFullError is thrown if more requests wait than allowed', async () => {
  const fetch = () => new Promise<Response>(() => undefined);
  const busy = createClient(client.info, { fetch, mostWaiting: 2 });
  const sent = [1, 2, 3, 4].map(() => errorOf(busy.send(MESSAGE)));
  const refused = await sent[3];
  expect(refused).toBeInstanceOf(QueueFullError);
  expect(busy.limits.state('message_create').waiting).toBe(2);
  await busy.close();
  for (const error of await Promise.all(sent.slice(0, 3))) {
    expect(error).toBeInstanceOf(ClosedError);
  }
});

test('a client that is closed makes no request', async () => {
  let asked = 0;
  const fetch = async () => {
    asked += 1;
    return Response.json({});
  };
  const closed = createClient(client.info, { fetch });
  await closed.close();
  const asking = [
    closed.send(MESSAGE),
    closed.rest.info(),
    closed.files.upload(new Blob(['x'])),
    closed.files.fetch('1'),
    closed.open(),
  ];
  for (const error of await Promise.all(asking.map(errorOf))) {
    expect(error).toBeInstanceOf(ClosedError);
  }
  expect(asked).toBe(0);
});
