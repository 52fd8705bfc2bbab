import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import {
  ApiError,
  connect,
  createClient,
  HearthError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  UnexpectedAnswerError,
  type Client,
} from '../src/index.ts';

const MESSAGE = { author: 'ada', content: 'x' };

let instance: TestInstance;
let client: Client;

beforeAll(async () => {
  instance = await startTestInstance();
  client = await connect(instance.addresses.rest);
});

afterAll(async () => {
  await client.close();
  await instance[Symbol.asyncDispose]();
});

function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

const FRAME_HEADERS = {
  'X-RateLimit-Reset': '60000',
  'X-RateLimit-Max': '3',
  'X-RateLimit-Last-Reset': '1800000000000',
  'X-RateLimit-Request-Count': '3',
};

describe('an answer that is not from an instance', () => {
  async function answering(answer: () => Response, run: (client: Client) => Promise<void>) {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer });
    const url = `http://127.0.0.1:${server.port}`;
    await using other = createClient({ ...client.info, oprish_url: url, effis_url: url });
    await run(other);
    expect(await errorOf(connect(url))).toBeInstanceOf(HearthError);
    await server.stop(true);
  }

  test.each([
    ['a page', 200, '<!doctype html><title>Welcome</title>', 'status 200 with "<!doctype html>'],
    ['a proxy that reaches nobody', 502, '<h1>Bad Gateway</h1>', 'status 502 with "<h1>Bad'],
    ['a proxy with JSON of its own', 503, '{"error":"away"}', 'status 503 with '],
    ['JSON of another shape', 200, '{"hello":1}', 'status 200 with "{\\"hello\\":1}"'],
    ['nothing', 200, '', 'status 200 with an empty body'],
  ])('an answer is quoted in the error: %s', async (_what, status, body, quoted) => {
    await answering(
      () => new Response(body, { status }),
      async (other) => {
        const asked = [other.rest.info(), other.send(MESSAGE), other.files.data('1')];
        for (const error of await Promise.all(asked.map(errorOf))) {
          if (!(error instanceof UnexpectedAnswerError)) throw error;
          expect(error.status).toBe(status);
          expect(error.message).toContain(quoted);
        }
      },
    );
  });

  test('an answer is a RateLimitedError if its status is 429: a proxy has limits, too', async () => {
    const headers = { 'Retry-After': '3' };
    const fetch = async () => new Response('slow down', { status: 429, headers });
    await using other = createClient(client.info, { fetch, longestLimitWaitMs: 0 });
    const error = await errorOf(other.send(MESSAGE));
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({ retryAfterMs: 3_000 });
    expect(error).toHaveProperty('message', expect.stringContaining('with "slow down"'));
  });

  test.each([
    ['the time frame in its headers', FRAME_HEADERS, 60_000],
    ['the Retry-After header', { ...FRAME_HEADERS, 'Retry-After': '7' }, 7_000],
    ['a second if neither is valid', { 'Retry-After': 'Fri, 01 Jan 2100' }, 1_000],
  ])('a 429 without a time in its body lasts for %s', async (_what, headers, retryAfterMs) => {
    const body = { status: 429, message: 'no', data: {} };
    const fetch = async () => Response.json(body, { status: 429, headers });
    await using other = createClient(client.info, { fetch, longestLimitWaitMs: 0 });
    expect(await errorOf(other.send(MESSAGE))).toMatchObject({ message: 'no', retryAfterMs });
  });

  test.each([
    ['oprish_url', 'file:///etc'],
    ['effis_url', ''],
    ['pandemonium_url', 'nowhere at all'],
    ['pandemonium_url', 'ftp://127.0.0.1'],
  ])('an answer has an invalid %s: "%s"', async (name, address) => {
    const fetch = async () => Response.json({ ...client.info, [name]: address });
    const error = await errorOf(connect('127.0.0.1:1', { fetch }));
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error).toHaveProperty('message', expect.stringContaining(`"${address}"`));
  });

  test('an answer is quoted in part, and an endless error is not read to its end', async () => {
    let sent = 0;
    const endless = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += 65_536;
            controller.enqueue(new Uint8Array(65_536).fill(120));
          },
        }),
        { status: 500 },
      );
    await answering(endless, async (other) => {
      const error = await errorOf(other.rest.info());
      if (!(error instanceof UnexpectedAnswerError)) throw error;
      expect(error.message.length).toBeLessThan(200);
    });
    expect(sent).toBeLessThan(100_000_000);
  });

  test.each([
    ['without data', 422, { status: 422, message: 'no' }, ApiError, {}],
    ['with null for data', 404, { status: 404, message: 'no', data: null }, NotFoundError, {}],
    [
      'with data of another shape',
      429,
      { status: 429, message: 'no', data: { retry_after: 'soon' } },
      RateLimitedError,
      { retryAfterMs: 1_000 },
    ],
    [
      'with further fields',
      500,
      { status: 500, message: 'no', data: { error: 'it', more: 1 }, code: 7 },
      ServerError,
      { error: 'it' },
    ],
  ])('an answer does not fit the envelope: %s', async (_what, status, body, kind, fields) => {
    const fetch = async () => Response.json(body, { status });
    await using other = createClient(client.info, { fetch, longestLimitWaitMs: 0 });
    const error = await errorOf(other.send(MESSAGE));
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ status, message: 'no', ...fields });
  });
});
