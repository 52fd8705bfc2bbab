import { RATE_LIMIT_HEADERS } from '@hearth/protocol';
import { fileDataSchema, openApiSchema } from '@hearth/protocol/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { fakeClock } from '@hearth/testing/fake-clock';
import { RawConnection, rawRequest, requestLines } from '@hearth/testing/clients/raw-http';
import { readError } from '@hearth/testing/clients/read-error';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';

const MESSAGE = '{"author":"ada","content":"é語😀"}';
const CORS = 'access-control-allow-origin';

let instance: TestInstance;
let rest: string;
let files: string;
let id: string;

beforeAll(async () => {
  // Its clock does not move, so that no window ends.
  instance = await startTestInstance({ clock: fakeClock() });
  ({ rest, files } = instance.addresses);
  ({ id } = fileDataSchema.parse(await (await upload()).json()));
});

afterAll(() => instance[Symbol.asyncDispose]());

function upload(): Promise<Response> {
  const body = new FormData();
  body.append('file', new File(['content'], 'ü.txt'));
  return fetch(files, { method: 'POST', body });
}

function post(body = MESSAGE): Promise<Response> {
  return fetch(`${rest}/messages`, { method: 'POST', body });
}

/** Every kind of answer of the two services. */
async function everyAnswer(): Promise<readonly Response[]> {
  return Promise.all([
    ...['/', '/rate_limits', '/ratelimits', '/nowhere', '/messages'].map((path) =>
      fetch(rest + path),
    ),
    post(),
    post('{'),
    post(' '.repeat(200_000)),
    fetch(`${rest}/messages`, { method: 'DELETE' }),
    fetch(`${rest}/`, { method: 'OPTIONS' }),
    upload(),
    ...[`/${id}`, `/${id}/data`, `/${id}/download`, '/1', '/static/no'].map((path) =>
      fetch(files + path),
    ),
    fetch(files, { method: 'POST', body: 'no form' }),
    fetch(`${files}/${id}`, { method: 'PUT', body: 'x' }),
    fetch(`${files}/${id}`, { headers: { Range: 'bytes=0-1' } }),
    fetch(`${files}/${id}`, { headers: { Range: 'bytes=99-' } }),
    fetch(`${files}/${id}`, { headers: { 'If-None-Match': '*' } }),
  ]);
}

describe('[HT10] a client that expects 100 Continue', () => {
  const head = (expectation: string) =>
    requestLines('POST', '/messages', 'Content-Length: 30', `Expect: ${expectation}`);

  test('the client gets it', async () => {
    using connection = await RawConnection.connect(rest);
    await connection.send(head('100-continue'));
    expect([await connection.line(), await connection.line()]).toEqual([
      'HTTP/1.1 100 Continue',
      '',
    ]);
    await connection.send('{"author":"ada","content":"x"}');
    expect((await connection.answer()).status).toBe(200);
  });

  test.each(['100-Continue', '100-continue, other', 'other'])(
    'as %j is answered that it would wait in vain',
    async (expectation) => {
      using connection = await RawConnection.connect(rest);
      await connection.send(head(expectation));
      const answer = await connection.answer();
      expect(answer.headers.has(RATE_LIMIT_HEADERS.max)).toBe(true);
      expect((await readError(answer)).status).toBe(417);
    },
  );

  test('a client of the file service is treated the same', async () => {
    const lines = requestLines('POST', '/attachments', 'Content-Length: 9', 'Expect: 100-Continue');
    expect((await readError(await rawRequest(files, lines))).status).toBe(417);
  });
});

describe('[HT1] success', () => {
  test('the status is 200 on every route', async () => {
    const answers = [
      await fetch(rest),
      await fetch(`${rest}/rate_limits`),
      await post(),
      await upload(),
      await fetch(`${files}/${id}`),
      await fetch(`${files}/attachments/${id}/data`),
      await fetch(`${files}/attachments/${id}/download`),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  test('three other statuses are sent if HTTP defines them: 204, 206 and 304', async () => {
    const statuses = (await everyAnswer()).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 204, 206, 304, 404, 405, 416, 422]));
  });
});

test('[HT2] JSON is application/json in UTF-8', async () => {
  for (const answer of [await post(), await fetch(rest), await fetch(`${files}/${id}/data`)]) {
    expect(answer.headers.get('content-type')).toBe('application/json');
    const decoder = new TextDecoder('utf-8', { fatal: true });
    expect(JSON.parse(decoder.decode(await answer.arrayBuffer()))).toBeObject();
  }
  const bytes = Buffer.from(await (await post()).arrayBuffer());
  expect(bytes.equals(Buffer.from(MESSAGE))).toBe(true);
});

describe('[HT3] a page of any origin', () => {
  test('a page may read every answer, with the six rate-limit headers', async () => {
    const names = Object.values(RATE_LIMIT_HEADERS).map((name) => name.toLowerCase());
    for (const { headers, status } of await everyAnswer()) {
      expect([status, headers.get(CORS)]).toEqual([status, '*']);
      const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(', ');
      expect(exposed).toEqual(expect.arrayContaining(names));
    }
  });

  test.each([
    ['rest', '/', 'GET, HEAD, OPTIONS'],
    ['rest', '/messages', 'GET, HEAD, POST, OPTIONS'],
    ['rest', '//messages/?x=1', 'GET, HEAD, POST, OPTIONS'],
    ['files', '/', 'POST, OPTIONS'],
    ['files', '/attachments', 'GET, HEAD, POST, OPTIONS'],
    ['files', '/attachments/1', 'GET, HEAD, OPTIONS'],
    ['files', '/static/a.txt/download', 'GET, HEAD, OPTIONS'],
  ] as const)(
    'a page may ask before its request, and receives the methods of the path: %s %s',
    async (service, path, methods) => {
      const asked = requestLines(
        'OPTIONS',
        path,
        'Origin: https://app.example',
        'Access-Control-Request-Method: POST',
        'Access-Control-Request-Headers: content-type, x-anything',
      );
      const { status, headers } = await rawRequest({ rest, files }[service], asked);
      expect([status, headers.get(CORS)]).toEqual([204, '*']);
      expect(headers.get('access-control-allow-headers')).toBe('content-type, x-anything');
      expect(headers.get('access-control-allow-methods')).toBe(methods);
      expect(headers.has('x-ratelimit-max')).toBe(false);
    },
  );

  test.each([
    ['rest', '/nowhere'],
    ['rest', '/%zz'],
    ['files', '/a/b/c/d'],
  ] as const)(
    'a page receives the methods of all routes for a path without a route: %s %s',
    async (service, path) => {
      const address = { rest, files }[service];
      const { paths } = openApiSchema.parse(await (await fetch(`${address}/openapi.json`)).json());
      const methods = Object.values(paths).flatMap((operations) => Object.keys(operations));
      const { headers } = await rawRequest(address, requestLines('OPTIONS', path));
      const allowed = headers.get('access-control-allow-methods')?.split(', ') ?? [];
      expect(allowed.toSorted()).toEqual(
        [...new Set(methods.map((method) => method.toUpperCase())), 'HEAD', 'OPTIONS'].toSorted(),
      );
    },
  );

  test('a page may send a preflight that names nothing', async () => {
    const answer = await rawRequest(rest, requestLines('OPTIONS', '/messages'));
    expect([answer.status, answer.headers.get('access-control-allow-headers')]).toEqual([204, '*']);
  });
});

describe('[HT4] HEAD', () => {
  const own = new Set(['date', 'x-ratelimit-request-count']);
  const named = ({ headers }: Response) => [...headers].filter(([name]) => !own.has(name));

  test.each([
    ...['/', '/?a=b', '/rate_limits/', '//ratelimits', '/nowhere', '/messages', '/%zz'],
    ...['/messages?limit=1', '/messages/?limit=0', '/messages?after=?&limit=1'],
  ])('HEAD has the status and the headers of GET: %s of the REST service', async (path) => {
    const [get, head] = [
      await rawRequest(rest, requestLines('GET', path)),
      await rawRequest(rest, requestLines('HEAD', path)),
    ];
    expect(head.status).toBe(get.status);
    expect(named(head)).toEqual(named(get));
    expect([...head.headers.keys()]).toEqual([...get.headers.keys()]);
  });

  test.each(['', '/data', '/download', '/nothing'])(
    'HEAD has the status and the headers of GET: a file%s',
    async (suffix) => {
      for (const path of [`/${id}${suffix}`, `/attachments/${id}${suffix}`]) {
        const [get, head] = [
          await rawRequest(files, requestLines('GET', path)),
          await rawRequest(files, requestLines('HEAD', path)),
        ];
        expect(head.status).toBe(get.status);
        expect(named(head)).toEqual(named(get));
        expect([...head.headers.keys()]).toEqual([...get.headers.keys()]);
      }
    },
  );

  test('HEAD is answered like GET, also without a Host header', async () => {
    for (const [method, query, status] of [
      ['GET', 'limit=0', 422],
      ['HEAD', 'limit=0', 422],
      ['GET', 'limit=1', 200],
      ['HEAD', 'limit=1', 200],
    ] as const) {
      using connection = await RawConnection.connect(rest);
      await connection.send(`${method} /messages?${query} HTTP/1.0\r\n\r\n`);
      const answer = await connection.answer({ toHead: method === 'HEAD' });
      expect([method, query, answer.status]).toEqual([method, query, status]);
    }
  });

  test('HEAD ignores Range', async () => {
    const { status, headers } = await rawRequest(
      files,
      requestLines('HEAD', `/${id}`, 'Range: bytes=0-1'),
    );
    expect([status, headers.get('content-length')]).toEqual([200, '7']);
  });

  test('HEAD has no body, so the next answer follows at once', async () => {
    using connection = await RawConnection.connect(rest);
    for (const path of ['/', '/nowhere', '/messages?limit=0']) {
      await connection.send(requestLines('HEAD', path) + requestLines('GET', '/rate_limits'));
      const head = await connection.answer({ toHead: true });
      expect(Number(head.headers.get('content-length'))).toBeGreaterThan(50);
      expect(await (await connection.answer()).json()).toHaveProperty('oprish');
    }
  });

  test('HEAD counts like GET', async () => {
    const before = await fetch(rest);
    const head = await fetch(rest, { method: 'HEAD' });
    const count = Number(before.headers.get('x-ratelimit-request-count'));
    expect(head.headers.get('x-ratelimit-request-count')).toBe(String(count + 1));
  });
});

describe('[HT5] a method', () => {
  test.each([
    ['/', 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']],
    ['/rate_limits', 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'PATCH', 'DELETE']],
    ['/ratelimits', 'GET, HEAD, OPTIONS', ['POST', 'DELETE']],
    ['/messages', 'GET, HEAD, POST, OPTIONS', ['PUT', 'PATCH', 'DELETE', 'PROPFIND']],
    ['//messages/', 'GET, HEAD, POST, OPTIONS', ['DELETE', 'PUT']],
  ])('that %s does not have is answered with 405 and %s', async (path, allow, methods) => {
    for (const method of methods) {
      const answer = await rawRequest(rest, requestLines(method, path));
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, allow]);
      if (method !== 'HEAD') expect((await readError(answer)).status).toBe(405);
    }
  });

  test.each([
    ['/', 'POST, OPTIONS', ['GET', 'HEAD', 'PUT']],
    ['/attachments/1', 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'PATCH', 'DELETE']],
    ['/attachments/1/data', 'GET, HEAD, OPTIONS', ['POST', 'DELETE']],
    ['/static/a', 'GET, HEAD, OPTIONS', ['POST', 'PUT', 'PATCH', 'DELETE']],
  ])(
    'that %s of the file service does not have is answered with 405 and %s',
    async (path, allow, methods) => {
      for (const method of methods) {
        const answer = await rawRequest(files, requestLines(method, path));
        expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, allow]);
      }
    },
  );
});

test('[HT8] the runtime leaves a body of any size to the services', async () => {
  const sizes = [
    '4000000000',
    '99999999999',
    '9007199254740991',
    '9007199254740993',
    '1'.repeat(18),
  ];
  const answersTo = async (size: string) => {
    const length = `Content-Length: ${size}`;
    const form = 'Content-Type: multipart/form-data; boundary=x';
    return [
      await rawRequest(rest, requestLines('POST', '/messages', length)),
      await rawRequest(files, requestLines('POST', '/attachments', length, form)),
    ];
  };
  for (const answer of (await Promise.all(sizes.map(answersTo))).flat()) {
    expect((await readError(answer)).status).toBe(422);
  }
});
