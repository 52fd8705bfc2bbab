import { ValidationError } from '@hearth/protocol';
import { messageSchema } from '@hearth/protocol/schemas';
import { describe, expect, spyOn, test } from 'bun:test';
import fc from 'fast-check';
import { z } from 'zod';
import { contentLength, drain, drainUnread, parseJsonBody, readBody } from './body.ts';

const MAX_BYTES = 100;
const MESSAGE = '{"author":"ada","content":"x"}';
const schema = messageSchema(50);

/** A body as a route reads it. */
async function readJsonBody<Output>(
  request: Request,
  parser: z.ZodType<Output>,
  maxBytes: number,
): Promise<Output> {
  return parseJsonBody(await readBody(request, maxBytes), parser);
}

/** A body that comes in pieces and without a Content-Length. */
function streamed(pieces: Iterable<Uint8Array>): Request {
  const iterator = Iterator.from(pieces);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Request('http://h/', { method: 'POST', body });
}

function announced(bytes: Uint8Array<ArrayBuffer>, size: number): Request {
  const headers = { 'Content-Length': String(size) };
  return new Request('http://h/', { method: 'POST', headers, body: bytes });
}

/** A body as each kind of client sends it. */
function senders(text: string): readonly Request[] {
  const bytes = new TextEncoder().encode(text);
  const bytewise = Array.from(bytes, (byte) => Uint8Array.of(byte));
  return [announced(bytes, bytes.byteLength), streamed([bytes]), streamed(bytewise)];
}

async function refusal(request: Request, parser: z.ZodType = schema): Promise<unknown> {
  try {
    return { accepted: await readJsonBody(request, parser, MAX_BYTES) };
  } catch (error) {
    return error instanceof ValidationError ? error.data : error;
  }
}

describe('[RS5] a JSON body', () => {
  test.each([
    ['plain', MESSAGE],
    ['with white space around', ` \r\n\t${MESSAGE}\n`],
    ['with a byte order mark', `\ufeff${MESSAGE}`],
    ['with fields that are ignored', '{"author":"ada","content":"x","a":[{}],"__proto__":{"b":1}}'],
    ['with a repeated key, whose last value counts', '{"author":1,"author":"ada","content":"x"}'],
    ['with escapes', '{"author":"\\u0061da","content":"\\u0078"}'],
  ])('a JSON body is read %s', async (_what, text) => {
    for (const request of senders(text)) {
      expect<unknown>(await readJsonBody(request, schema, MAX_BYTES)).toEqual({
        author: 'ada',
        content: 'x',
      });
    }
  });

  test('a JSON body may arrive in pieces that split characters', async () => {
    const message = { author: '😀語é', content: 'ß😀' };
    for (const request of senders(JSON.stringify(message))) {
      expect<unknown>(await readJsonBody(request, schema, MAX_BYTES)).toEqual(message);
    }
  });

  test('a JSON body may be nested deeper than any program does', async () => {
    const depth = 200_000;
    const deep = `{"author":"ada","content":"x","a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    for (const request of senders(deep).slice(0, 2)) {
      expect((await readJsonBody(request, schema, deep.length)).author).toBe('ada');
    }
  });
});

describe('[RS6] a body that is not a JSON object', () => {
  test.each([
    ['', 'must be JSON'],
    [' ', 'must be JSON'],
    ['\ufeff', 'must be JSON'],
    ['{', 'must be JSON'],
    ['{"author":"ada","content":"x"', 'must be JSON'],
    [`${MESSAGE}${MESSAGE}`, 'must be JSON'],
    [`${MESSAGE}\0`, 'must be JSON'],
    [`\ufeff\ufeff${MESSAGE}`, 'must be JSON'],
    ["{'author':'ada'}", 'must be JSON'],
    ['{"author":"ada",}', 'must be JSON'],
    ['{"author":"a\nb"}', 'must be JSON'],
    ['author=ada&content=x', 'must be JSON'],
    ['NaN', 'must be JSON'],
    ['undefined', 'must be JSON'],
    ['null', 'must be a JSON object'],
    ['true', 'must be a JSON object'],
    ['12', 'must be a JSON object'],
    ['"text"', 'must be a JSON object'],
    ['[]', 'must be a JSON object'],
    [`[${MESSAGE}]`, 'must be a JSON object'],
  ])('such as %j is refused for the field body', async (text, error) => {
    for (const request of senders(text)) {
      expect(await refusal(request)).toEqual({ field_name: 'body', error });
    }
  });

  test('such as an empty one is refused for the field body', async () => {
    const request = new Request('http://h/', { method: 'POST' });
    expect(await refusal(request)).toEqual({ field_name: 'body', error: 'must be JSON' });
  });

  test.each([
    ['a lone continuation byte', [0x80]],
    ['Latin-1', [0xe9]],
    ['half a character', [0xf0, 0x9f, 0x98]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a code point above the last', [0xf4, 0x90, 0x80, 0x80]],
    ['what no text begins with', [0xff, 0xfe]],
  ])('such as one with %s is refused for the field body', async (_what, middle) => {
    const [before = '', after = ''] = MESSAGE.split('x');
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from(middle), Buffer.from(after)]);
    for (const request of [announced(bytes, bytes.byteLength), streamed([bytes])]) {
      expect(await refusal(request)).toEqual({ field_name: 'body', error: 'must be UTF-8 text' });
    }
  });

  test('such as one of brackets alone is refused however deep it is', async () => {
    const body = new TextEncoder().encode('['.repeat(1_000_000));
    const read = readJsonBody(streamed([body]), schema, body.byteLength);
    expect(await read.catch(String)).toBe('ValidationError: Invalid body: must be JSON');
  });
});

describe('[RS4] a JSON object that does not fit', () => {
  test('a JSON object is refused for the first field that is wrong', async () => {
    const error = 'must be text of 2 to 32 characters';
    expect(await refusal(streamed([Buffer.from('{"content":1}')]))).toEqual({
      field_name: 'author',
      error,
    });
  });

  test('a JSON object is refused for the field body if no single field is wrong', async () => {
    const never = z.object({}).refine(() => false, { error: 'must be something else' });
    expect(await refusal(streamed([Buffer.from('{}')]), never)).toEqual({
      field_name: 'body',
      error: 'must be something else',
    });
  });
});

describe('[RS7] the maximum size of a body', () => {
  const tooLarge = { field_name: 'body', error: 'must be at most 100 bytes' };

  test('the maximum allows exactly this many bytes', async () => {
    for (const request of senders(MESSAGE.padEnd(MAX_BYTES))) {
      expect(await refusal(request)).toMatchObject({ accepted: { author: 'ada' } });
    }
    for (const request of senders(MESSAGE.padEnd(MAX_BYTES + 1))) {
      expect(await refusal(request)).toEqual(tooLarge);
    }
  });

  test('the maximum counts bytes and not characters', async () => {
    const text = `{"author":"ada","content":"x","a":"${'語'.repeat(30)}"}`;
    for (const request of senders(text)) expect(await refusal(request)).toEqual(tooLarge);
  });

  test('the maximum is the same however the body is split', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(sizes, async (pieces) => {
        const total = pieces.reduce((sum, size) => sum + size, 0);
        const blank = pieces.map((size) => new Uint8Array(size).fill(0x20));
        const error = total > MAX_BYTES ? tooLarge.error : 'must be JSON';
        expect(await refusal(streamed(blank))).toEqual({ field_name: 'body', error });
      }),
    );
  });

  test('a body is refused by its Content-Length alone, before anything is read', async () => {
    const request = announced(Buffer.from(MESSAGE), MAX_BYTES + 1);
    expect(await refusal(request)).toEqual(tooLarge);
    expect(request.bodyUsed).toBe(false);
  });

  test('the rest of a body that turned out too large is drained, within bounds', async () => {
    let taken = 0;
    function* endless() {
      for (const piece = new Uint8Array(1024 * 1024); ; taken += piece.byteLength) yield piece;
    }
    expect(await refusal(streamed(endless()))).toEqual(tooLarge);
    expect(taken).toBeGreaterThan(100_000_000);
    expect(taken).toBeLessThan(300_000_000);
  });
});

test.each([
  ['12', 12],
  ['0', 0],
  ['9007199254740993', 9_007_199_254_740_992],
  ['', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
  ['12, 12', undefined],
])('[RS7] a Content-Length of %j announces %p bytes', (value, size) => {
  const headers = { 'Content-Length': value };
  expect(contentLength(new Request('http://h/', { method: 'POST', headers }))).toBe(size);
});

describe('[ER7] what a client still sends after it was refused', () => {
  const bounds = { bytes: 1000, totalMs: 60_000, silenceMs: 60_000 };
  const chunk = { done: false, value: new Uint8Array(300) };

  test('the rest of a body is read to its end', async () => {
    const chunks = [chunk, chunk, { done: true }];
    await drain({ read: async () => chunks.shift() ?? chunk }, bounds);
    expect(chunks).toEqual([]);
  });

  test('the rest of a body is read up to a number of bytes', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      return chunk;
    };
    await drain({ read }, bounds);
    expect(reads).toBe(4);
  });

  test('the rest of a body is read for a bounded time', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      return { done: false, value: new Uint8Array(0) };
    };
    let nowMs = performance.now();
    using _time = spyOn(performance, 'now').mockImplementation(() => (nowMs += 1));
    await drain({ read }, { ...bounds, totalMs: 5 });
    expect(reads).toBe(4);
  });

  test('the rest of a body is not waited for if nothing arrives', async () => {
    let reads = 0;
    const read = () => {
      reads += 1;
      return new Promise<never>(() => {});
    };
    await drain({ read }, { ...bounds, silenceMs: 1 });
    expect(reads).toBe(1);
  });

  test('the rest of a body may break off', async () => {
    let reads = 0;
    const read = () => {
      reads += 1;
      return Promise.reject(new Error('reset'));
    };
    await drain({ read }, bounds);
    expect(reads).toBe(1);
  });

  test('the rest of a body is read only if nobody has read it before', async () => {
    const unread = streamed([new Uint8Array(10)]);
    await drainUnread(unread);
    expect(unread.bodyUsed).toBe(true);
    const used = streamed([new Uint8Array(10)]);
    await used.bytes();
    await drainUnread(used);
    const locked = streamed([new Uint8Array(10)]);
    const reader = locked.body?.getReader();
    await drainUnread(locked);
    expect((await reader?.read())?.value).toHaveLength(10);
    await drainUnread(new Request('http://h/'));
  });
});
