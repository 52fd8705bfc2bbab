import { instanceInfoSchema, instanceRateLimitsSchema } from '@hearth/protocol/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { fakeClock } from '@hearth/testing/fake-clock';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { RawConnection, rawRequest, requestLines } from '@hearth/testing/clients/raw-http';
import { readError, readValidationError } from '@hearth/testing/clients/read-error';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';

const MESSAGE = { author: 'ada', content: 'good evening' };
const JSON_MESSAGE = JSON.stringify(MESSAGE);

/** The service's maximum: 2048 + 32 characters as escapes of 12 bytes, and another 64 KiB. */
const MAX_BYTES = (2048 + 32) * 12 + 64 * 1024;

let instance: TestInstance;
let rest: string;

beforeAll(async () => {
  // Its clock does not move, so that no window ends.
  instance = await startTestInstance({ clock: fakeClock() });
  rest = instance.addresses.rest;
});

afterAll(() => instance[Symbol.asyncDispose]());

function post(body: BodyInit, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${rest}/messages`, { method: 'POST', body, headers });
}

/** Posts over a raw connection, in chunks of the given sizes. */
async function postChunked(pieces: readonly Uint8Array[]): Promise<Response> {
  using connection = await RawConnection.connect(rest);
  await connection.send(requestLines('POST', '/messages', 'Transfer-Encoding: chunked'));
  for (const piece of [...pieces, new Uint8Array(0)]) {
    const size = Buffer.from(`${piece.byteLength.toString(16)}\r\n`);
    await connection.send(Buffer.concat([size, piece, Buffer.from('\r\n')]));
  }
  return await connection.answer();
}

async function postWith(headers: readonly string[], body: string): Promise<Response> {
  const length = `Content-Length: ${Buffer.byteLength(body, 'latin1')}`;
  return rawRequest(rest, requestLines('POST', '/messages', length, ...headers) + body);
}

describe('[RS1] GET /', () => {
  test('answers with the InstanceInfo', async () => {
    const answer = await fetch(rest);
    expect(answer.status).toBe(200);
    const info = instanceInfoSchema.strict().parse(await answer.json());
    expect([info.instance_name, info.oprish_url]).toEqual(['Hearth', rest]);
  });

  test('the answer is the same for any query and headers', async () => {
    const plain = await (await fetch(rest)).text();
    const headers = { Accept: 'text/html', 'Accept-Encoding': 'br', 'If-None-Match': '*' };
    const answer = await fetch(`${rest}/?version=0.1&x=//`, { headers });
    expect([answer.status, await answer.text()]).toEqual([200, plain]);
  });
});

test('[RS2] GET /rate_limits answers with the limits of all three components', async () => {
  const answer = await fetch(`${rest}/rate_limits`);
  expect(answer.status).toBe(200);
  const limits = instanceRateLimitsSchema.strict().parse(await answer.json());
  expect(Object.keys(limits)).toEqual(['oprish', 'pandemonium', 'effis']);
});

describe('[RS3] POST /messages', () => {
  test('answers with the message that was posted', async () => {
    const answer = await post(JSON_MESSAGE, { 'Content-Type': 'application/json' });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(JSON_MESSAGE);
  });

  test('answers with the fields in the documented order, and with the last value of a repeated field', async () => {
    const answer = await post('{"content":"a","author":"eve","author":"ada","content":"b"}');
    expect(await answer.text()).toBe('{"author":"ada","content":"b"}');
  });

  test('many posts over one connection are accepted, one after another', async () => {
    using connection = await RawConnection.connect(rest);
    const contents = Array.from({ length: 20 }, (_, index) => `message ${index}`);
    const bodies = contents.map((content) => JSON.stringify({ author: 'ada', content }));
    const requests = bodies.map(
      (body) => requestLines('POST', '/messages', `Content-Length: ${body.length}`) + body,
    );
    await connection.send(requests.join(''));
    for (const body of bodies) expect(await (await connection.answer()).text()).toBe(body);
  });

  test('[HT8] posts that many connections pipeline at once are answered, each in its order', async () => {
    const pipeline = async (_: unknown, who: number) => {
      using connection = await RawConnection.connect(rest);
      const bodies = Array.from({ length: 10 }, (__, count) =>
        JSON.stringify({ author: `poster ${who}`, content: `message ${count}` }),
      );
      const requests = bodies.map(
        (body) => requestLines('POST', '/messages', `Content-Length: ${body.length}`) + body,
      );
      await connection.send(requests.join(''));
      for (const body of bodies) expect(await (await connection.answer()).text()).toBe(body);
    };
    await Promise.all(Array.from({ length: 48 }, pipeline));
  });

  test('[HT8] each of many connections is answered with its own, and GETs that come one after another meanwhile', async () => {
    using connections = new DisposableStack();
    const connect = async () => connections.use(await RawConnection.connect(rest));
    const poster = async (_: unknown, who: number) => {
      const connection = await connect();
      for (let count = 0; count < 25; count += 1) {
        const body = JSON.stringify({ author: `poster ${who}`, content: `message ${count}` });
        const lines = requestLines('POST', '/messages', `Content-Length: ${body.length}`);
        await connection.send(lines + body);
        const answer = await connection.answer();
        expect([answer.status, await answer.text()]).toEqual([200, body]);
      }
    };
    const reader = async () => {
      const connection = await connect();
      for (let count = 0; count < 5; count += 1) {
        const pair = requestLines('GET', '/') + requestLines('GET', '/rate_limits');
        await connection.send(pair.repeat(10));
        for (let at = 0; at < 10; at += 1) {
          expect(await (await connection.answer()).json()).toHaveProperty('instance_name');
          expect(await (await connection.answer()).json()).toHaveProperty('oprish');
        }
      }
    };
    const client = await GatewayClient.connect(instance.addresses.gateway);
    const posters = Array.from({ length: 48 }, poster);
    await Promise.all([...posters, ...Array.from({ length: 4 }, reader)]);
    await client.until(() => client.received.length >= 48 * 25);
    const contents = client.received.map((text) => JSON.parse(text).d);
    for (let who = 0; who < 48; who += 1) {
      const own = contents.filter(({ author }) => author === `poster ${who}`);
      expect(own.map(({ content }) => content)).toEqual(
        Array.from({ length: 25 }, (_, count) => `message ${count}`),
      );
    }
    client.close();
  });

  test('the body of a client that expects 100 Continue is read before the answer', async () => {
    const answer = await postWith(['Expect: 100-continue'], JSON_MESSAGE);
    expect([answer.status, await answer.text()]).toEqual([200, JSON_MESSAGE]);
  });
});

test('[RS4] a message that breaks a rule is answered with its field and is sent to nobody', async () => {
  const client = await GatewayClient.connect(instance.addresses.gateway);
  const broken = [
    ['{"author":"a","content":"x"}', 'author', 'must be text of 2 to 32 characters'],
    ['{"author":"ada","content":""}', 'content', 'must be text of 1 to 2048 characters'],
    ['{"author":null,"content":7}', 'author', 'must be text of 2 to 32 characters'],
    ['{}', 'author', 'must be text of 2 to 32 characters'],
    ['', 'body', 'must be JSON'],
  ] as const;
  for (const [body, field, error] of broken) {
    expect(await readValidationError(await post(body))).toEqual({ field, error });
  }
  await post(JSON_MESSAGE);
  await client.until(() => client.received.length > 0);
  await client.ping();
  expect(client.received).toEqual([`{"op":"MESSAGE_CREATE","d":${JSON_MESSAGE}}`, '{"op":"PONG"}']);
  client.close();
});

test('[RS4] a message whose body breaks off is sent to nobody', async () => {
  const client = await GatewayClient.connect(instance.addresses.gateway);
  for (const framing of ['Content-Length: 100', 'Transfer-Encoding: chunked']) {
    using connection = await RawConnection.connect(rest);
    const size = framing.includes('chunked') ? `${JSON_MESSAGE.length.toString(16)}\r\n` : '';
    await connection.send(requestLines('POST', '/messages', framing) + size + JSON_MESSAGE);
    connection.end();
    await connection.rest();
  }
  await post('{"author":"eve","content":"whole"}');
  await client.until(() => client.received.length > 0);
  await client.ping();
  expect(client.received.map((text) => text.includes('whole'))).toEqual([true, false]);
  client.close();
});

describe('[RS5] a body is read as JSON', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'image/png',
    'nonsense',
    ';',
  ])('although its Content-Type is %p', async (type) => {
    const answer = await post(JSON_MESSAGE, { 'Content-Type': type });
    expect([answer.status, await answer.text()]).toEqual([200, JSON_MESSAGE]);
  });

  test.each([
    ['none', []],
    ['empty', ['Content-Type:']],
    ['bytes', ['Content-Type: \xff\xfe']],
    ['twice', ['Content-Type: text/html', 'Content-Type: image/png']],
  ])('although its Content-Type is %s', async (_what, headers) => {
    const answer = await postWith(headers, JSON_MESSAGE);
    expect([answer.status, await answer.text()]).toEqual([200, JSON_MESSAGE]);
  });

  test('after a byte order mark', async () => {
    expect(await (await post(`\ufeff${JSON_MESSAGE}`)).text()).toBe(JSON_MESSAGE);
  });

  test('in chunks that split characters', async () => {
    const message = JSON.stringify({ author: '😀😀', content: '語'.repeat(50) });
    const bytes = Array.from(Buffer.from(message), (byte) => Uint8Array.of(byte));
    expect(await (await postChunked(bytes)).text()).toBe(message);
  });

  test('with a thousand unknown fields', async () => {
    const extra = Array.from({ length: 1000 }, (_, index) => [`field ${index}`, { index }]);
    const answer = await post(JSON.stringify({ ...Object.fromEntries(extra), ...MESSAGE }));
    expect([answer.status, await answer.text()]).toEqual([200, JSON_MESSAGE]);
  });

  test('nested as deeply as fits', async () => {
    const deep = `{"a":${'['.repeat(40_000)}${']'.repeat(40_000)},${JSON_MESSAGE.slice(1)}`;
    expect(await (await post(deep)).text()).toBe(JSON_MESSAGE);
  });
});

describe('[RS6] a body is answered with a ValidationError for the field body', () => {
  test.each([
    ['it is empty', ''],
    ['it is white space', ' \r\n\t'],
    ['it is not JSON', 'author=ada&content=x'],
    ['it breaks off', '{"author":"ada","content":"x'],
    ['it continues after its end', `${JSON_MESSAGE},`],
    ['there is a NUL after it', `${JSON_MESSAGE}\0`],
    ['it is a list', `[${JSON_MESSAGE}]`],
    ['it is a string', JSON.stringify(JSON_MESSAGE)],
    ['it is a number', '0'],
    ['it is a boolean', 'true'],
    ['it is null', 'null'],
    ['it is nested as deeply as fits', '['.repeat(90_000)],
  ])('if %s', async (_what, body) => {
    expect((await readValidationError(await post(body))).field).toBe('body');
  });

  test.each([
    ['Latin-1', '{"author":"ad\xe9","content":"x"}'],
    ['half a character', '{"author":"ada","content":"\xf0\x9f\x98"}'],
    ['a surrogate as bytes', '{"author":"ada","content":"\xed\xa0\xbd"}'],
    ['an overlong NUL', '{"author":"ada","content":"\xc0\x80"}'],
    ['UTF-16', '\xff\xfe{\0}\0'],
  ])('if it is not UTF-8 but %s', async (_what, body) => {
    expect(await readValidationError(await postWith([], body))).toEqual({
      field: 'body',
      error: 'must be UTF-8 text',
    });
  });

  test('if there is none, with or without a Content-Length of 0', async () => {
    for (const length of [[], ['Content-Length: 0']]) {
      const answer = await rawRequest(rest, requestLines('POST', '/messages', ...length));
      expect(await readValidationError(answer)).toEqual({ field: 'body', error: 'must be JSON' });
    }
  });

  test('if its Content-Length cuts it off', async () => {
    const answer = await postWith(['Connection: close'], JSON_MESSAGE.slice(0, -1));
    expect((await readValidationError(answer)).field).toBe('body');
  });
});

describe('[RS7] the maximum size of a body', () => {
  const tooLarge = { field: 'body', error: `must be at most ${MAX_BYTES} bytes` };

  test('exactly as many bytes are let through, announced or not', async () => {
    const largest = JSON_MESSAGE.padEnd(MAX_BYTES);
    expect((await post(largest)).status).toBe(200);
    expect((await postChunked([Buffer.from(largest)])).status).toBe(200);
  });

  test('one byte more is refused, announced or not', async () => {
    const larger = JSON_MESSAGE.padEnd(MAX_BYTES + 1);
    expect(await readValidationError(await post(larger))).toEqual(tooLarge);
    const half = Buffer.from(larger).subarray(0, MAX_BYTES / 2);
    const pieces = [half, Buffer.from(larger).subarray(half.byteLength)];
    expect(await readValidationError(await postChunked(pieces))).toEqual(tooLarge);
  });

  test('a body that is announced as more is refused before it arrives', async () => {
    const sizes = [String(MAX_BYTES + 1), '4000000000', '9007199254740993', '1'.repeat(18)];
    const answers = sizes.map((size) =>
      rawRequest(rest, requestLines('POST', '/messages', `Content-Length: ${size}`)),
    );
    for (const answer of answers) {
      expect(await readValidationError(await answer)).toEqual(tooLarge);
    }
  });

  test('the longest message fits with every character escaped', async () => {
    const author = '\\ud83d\\ude00'.repeat(32);
    const body = `{"author":"${author}","content":"${'\\uD83D\\uDE00'.repeat(2048)}"}`;
    const message = { author: '😀'.repeat(32), content: '😀'.repeat(2048) };
    for (const answer of [await post(body), await postChunked([Buffer.from(body)])]) {
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual(message);
    }
  });
});

describe('[RS8] /ratelimits', () => {
  test('/ratelimits answers like /rate_limits', async () => {
    const [older, newer] = [await fetch(`${rest}/ratelimits`), await fetch(`${rest}/rate_limits`)];
    expect([older.status, await older.text()]).toEqual([200, await newer.text()]);
  });

  test('/ratelimits shares its limit', async () => {
    const counts: number[] = [];
    for (const path of ['/rate_limits', '/ratelimits', '/ratelimits', '/rate_limits']) {
      const answer = await fetch(rest + path);
      counts.push(Number(answer.headers.get('x-ratelimit-request-count')));
    }
    const [first = 0] = counts;
    expect(counts).toEqual([first, first + 1, first + 2, first + 3]);
  });

  test('/ratelimits is the only alias of a path', async () => {
    for (const path of ['/rate-limits', '/rate%20limits', '/message', '/ratelimit']) {
      expect((await readError(await fetch(rest + path))).status).toBe(404);
    }
  });
});
