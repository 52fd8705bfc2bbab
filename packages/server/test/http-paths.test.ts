import { fileDataSchema } from '@hearth/protocol/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rawRequest, requestLines } from '@hearth/testing/clients/raw-http';
import { readError } from '@hearth/testing/clients/read-error';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';

const MESSAGE = '{"author":"ada","content":"x"}';

let instance: TestInstance;
let rest: string;
let files: string;
let id: string;

beforeAll(async () => {
  instance = await startTestInstance();
  ({ rest, files } = instance.addresses);
  const body = new FormData();
  body.append('file', new File(['content'], 'file.txt'));
  const answer = await fetch(files, { method: 'POST', body });
  ({ id } = fileDataSchema.parse(await answer.json()));
});

afterAll(() => instance[Symbol.asyncDispose]());

function get(url: string, target: string): Promise<Response> {
  return rawRequest(url, requestLines('GET', target));
}

async function routeOf(answer: Response): Promise<string> {
  if (answer.status !== 200) return String(answer.status);
  const text = await answer.text();
  return text.startsWith('{"oprish"')
    ? 'rate limits'
    : text.startsWith('{"instance')
      ? 'info'
      : text;
}

describe('[HT6] slashes', () => {
  test.each([
    ['/rate_limits/', 'rate limits'],
    ['//rate_limits', 'rate limits'],
    ['///rate_limits///', 'rate limits'],
    ['//ratelimits//?a=//b/', 'rate limits'],
    ['//', 'info'],
    ['/////', 'info'],
    ['/rate_limits/x', '404'],
    ['/rate/limits', '404'],
  ])('slashes of GET %s lead to %s', async (target, route) => {
    expect(await routeOf(await get(rest, target))).toBe(route);
  });

  test.each(['/messages/', '//messages', '//messages//', '/messages?/x//'])(
    'slashes of POST %s lead to the message that was posted',
    async (target) => {
      const lines = requestLines('POST', target, `Content-Length: ${MESSAGE.length}`);
      expect(await routeOf(await rawRequest(rest, lines + MESSAGE))).toBe(MESSAGE);
    },
  );

  test('slashes of the file service lead to the file', async () => {
    for (const target of [`/${id}/`, `//${id}`, `//attachments//${id}//`, `/attachments/${id}?/`]) {
      expect(await routeOf(await get(files, target))).toBe('content');
    }
    const body = new FormData();
    body.append('file', new File(['more'], 'file.txt'));
    expect((await fetch(`${files}//attachments//`, { method: 'POST', body })).status).toBe(200);
  });
});

describe('[HT6] a query', () => {
  test.each(['/?', '/?a', '/?/rate_limits', '/?a=%zz&b=%00'])(
    '%s changes nothing',
    async (target) => {
      expect(await routeOf(await get(rest, target))).toBe('info');
    },
  );
});

describe('[HT6] a route depends on the path and not on the host:', () => {
  test.each([
    ['HTTP/1.0 without Host', 'GET /rate_limits/ HTTP/1.0\r\n\r\n'],
    ['an empty Host', 'GET //rate_limits HTTP/1.1\r\nHost:\r\n\r\n'],
    ['a Host with a space', 'GET /rate_limits?a HTTP/1.1\r\nHost: a b\r\n\r\n'],
    ['a Host with a path', 'GET /rate_limits HTTP/1.1\r\nHost: a/b/c\r\n\r\n'],
    ['a Host with a query', 'GET /rate_limits HTTP/1.1\r\nHost: a?b\r\n\r\n'],
    ['half an IPv6 address', 'GET /rate_limits HTTP/1.1\r\nHost: [\r\n\r\n'],
    ['a port out of range', 'GET /rate_limits HTTP/1.1\r\nHost: a:99999\r\n\r\n'],
    ['an absolute target', 'GET http://elsewhere/rate_limits HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('%s', async (_what, request) => {
    expect(await routeOf(await rawRequest(rest, request))).toBe('rate limits');
    const head = await rawRequest(rest, request.replace('GET', 'HEAD'));
    expect([head.status, head.headers.get('x-ratelimit-max')]).toEqual([200, '100000']);
  });
});

describe('[HT7] a path is decoded once', () => {
  test.each([
    ['/%61ttachments', 200],
    ['/%2561ttachments', 422],
  ])('if it names the bucket of an upload: %s is answered with %i', async (path, status) => {
    const body = new FormData();
    body.append('file', new File(['more'], 'file.txt'));
    expect((await fetch(`${files}${path}`, { method: 'POST', body })).status).toBe(status);
  });

  test.each(['', '/data', '/download'])('if it names a file: /…%s', async (suffix) => {
    const encoded = Array.from(id, (digit) => `%3${digit}`).join('');
    expect((await get(files, `/attachments/${encoded}${suffix}`)).status).toBe(200);
    const twice = encoded.replaceAll('%', '%25');
    expect((await get(files, `/attachments/${twice}${suffix}`)).status).toBe(404);
  });

  test.each([
    '/%',
    '/%zz',
    '/%f',
    '/%ff%fe',
    '/%c0%af',
    '/%ed%a0%80',
    '/%00',
    '/rate_limits%00',
    '/rate_limits%2f',
    '/%2frate_limits',
    '/rate_limits%0d%0aX:%20y',
    '/%2e%2e%2frate_limits',
    '/..%2f..%2f..%2fetc%2fpasswd',
    '/%252e%252e%252frate_limits',
    '/rate_limits%20',
    '/rate_limits;x',
    '/rate_limits.json',
    '/rate%C2%A0limits',
    '/\xff',
    '/a/../%2e%2e%2f',
  ])('and the REST service answers %s with a NotFoundError', async (target) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await rawRequest(rest, requestLines(method, target));
      expect((await readError(answer)).status).toBe(404);
    }
  });

  test.each([
    '/%',
    '/%zz/data',
    '/attachments/%',
    '/attachments/%ff%fe/data',
    '/attachments/%00',
    '/attachments/..%2f..%2fhearth.sqlite',
    '/attachments/%2e%2e%2f%2e%2e%2fhearth.sqlite/download',
    '/attachments/%252e%252e%252fhearth.sqlite',
    '/static/%2e%2e%2f%2e%2e%2fhearth.sqlite',
    '/static/..%5c..%5chearth.sqlite',
    '/static/%',
    '/static/%00/download',
    '/static/%0d%0a',
    '/static/../../hearth.sqlite',
    '/static/%2e%2e/hearth.sqlite',
    '/static/....//hearth.sqlite',
  ])('and the file service answers %s with a NotFoundError', async (target) => {
    expect((await readError(await get(files, target))).status).toBe(404);
    expect((await rawRequest(files, requestLines('HEAD', target))).status).toBe(404);
  });

  test.each([
    ['/x/../rate_limits', 'rate limits'],
    ['/x/%2e%2E/rate_limits', 'rate limits'],
    ['/./rate_limits/.', 'rate limits'],
    ['/../../rate_limits', 'rate limits'],
    ['/rate_limits/..', 'info'],
  ])('with its dot segments resolved: %s is the route of the %s', async (target, route) => {
    expect(await routeOf(await get(rest, target))).toBe(route);
  });

  test('even if it is as long as the runtime accepts', async () => {
    for (const target of [`/${'a'.repeat(8000)}`, `/${'%41'.repeat(2500)}`, '/a'.repeat(4000)]) {
      expect((await readError(await get(rest, target))).status).toBe(404);
      expect((await readError(await get(files, target))).status).toBe(404);
    }
  });
});
