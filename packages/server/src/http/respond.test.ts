import {
  ConflictError,
  FileSizeRateLimitedError,
  ForbiddenError,
  MethodNotAllowedError,
  NotFoundError,
  RATE_LIMIT_HEADERS,
  RangeNotSatisfiableError,
  RateLimitedError,
  UnauthorizedError,
  UpgradeRequiredError,
  ValidationError,
} from '@hearth/protocol';
import { describe, expect, test } from 'bun:test';
import { readError } from '@hearth/testing/clients/read-error';
import { json, preflight, renderError } from './respond.ts';

const LIMITS = { [RATE_LIMIT_HEADERS.max]: '2', [RATE_LIMIT_HEADERS.requestCount]: '1' };

function exposed(answer: Response): readonly string[] {
  return (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ');
}

describe('a JSON answer', () => {
  test('[HT1][HT2] a JSON answer is 200 and application/json in UTF-8', async () => {
    const answer = json({ text: 'é語😀\ud83d' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(Buffer.from(await answer.arrayBuffer()).toString()).toBe('{"text":"é語😀\\ud83d"}');
  });

  test('[HT3] a JSON answer may be read by any page, with the six rate-limit headers', () => {
    const answer = json({}, LIMITS);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const names = Object.values(RATE_LIMIT_HEADERS).map((name) => name.toLowerCase());
    expect(names).toHaveLength(6);
    expect(exposed(answer)).toEqual(expect.arrayContaining(names));
    expect(answer.headers.get('x-ratelimit-max')).toBe('2');
  });

  test('[HT3] a JSON answer keeps its own headers in addition to the given ones', () => {
    const names = (answer: Response) => [...answer.headers.keys()];
    const added = ['x-ratelimit-max', 'x-ratelimit-request-count'];
    expect(names(json({}, LIMITS)).toSorted()).toEqual([...names(json({})), ...added].toSorted());
  });
});

const METHODS = ['GET', 'HEAD', 'PUT', 'OPTIONS'];

describe('[HT3] a preflight', () => {
  const answerTo = (headers: Record<string, string>) =>
    preflight(new Request('http://h/', { method: 'OPTIONS', headers }), METHODS);

  test('a preflight is answered with 204, no body and the methods of the path', async () => {
    const answer = answerTo({});
    expect(answer.status).toBe(204);
    expect(await answer.text()).toBe('');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, PUT, OPTIONS');
    expect(answer.headers.get('access-control-max-age')).toMatch(/^[1-9]\d*$/);
  });

  test.each(['content-type', 'authorization, x-custom', 'X-A,X-B'])(
    'a preflight allows the requested headers: %s',
    (asked) => {
      const answer = answerTo({ 'Access-Control-Request-Headers': asked });
      expect(answer.headers.get('access-control-allow-headers')).toBe(asked);
    },
  );

  test('a preflight allows any header if none was requested', () => {
    expect(answerTo({}).headers.get('access-control-allow-headers')).toBe('*');
  });
});

describe('[ER7][ER9][ER10][ER11] an error is rendered', () => {
  test.each([
    ['RateLimitedError', new RateLimitedError(1), { 'retry-after': '1' }],
    ['RateLimitedError', new RateLimitedError(1000), { 'retry-after': '1' }],
    ['RateLimitedError', new RateLimitedError(1001), { 'retry-after': '2' }],
    [
      'FileSizeRateLimitedError',
      new FileSizeRateLimitedError(180_000, 5),
      { 'retry-after': '180' },
    ],
    ['ValidationError', new ValidationError('author', 'is no text'), {}],
    ['NotFoundError', new NotFoundError(), {}],
    ['MethodNotAllowedError', new MethodNotAllowedError(['GET', 'HEAD']), { allow: 'GET, HEAD' }],
    [
      'RangeNotSatisfiableError',
      new RangeNotSatisfiableError(12),
      { 'content-range': 'bytes */12' },
    ],
    ['UnauthorizedError', new UnauthorizedError('token_ended'), { 'www-authenticate': 'Bearer' }],
    ['ForbiddenError', new ForbiddenError({ code: 'permission_missing', permission: 'BAN' }), {}],
    ['ConflictError', new ConflictError({ code: 'taken', field_name: 'username' }), {}],
    ['UpgradeRequiredError', new UpgradeRequiredError(), { upgrade: 'websocket' }],
  ])('as its envelope and its headers: %s', async (_name, error, headers) => {
    const answer = renderError(error, 'Testing', LIMITS);
    expect(answer.status).toBe(error.status);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const usual = new Set(json({}, LIMITS).headers.keys());
    expect(Object.fromEntries([...answer.headers].filter(([name]) => !usual.has(name)))).toEqual(
      headers,
    );
    expect(answer.headers.get('x-ratelimit-max')).toBe('2');
    expect(await readError(answer)).toEqual(error.toEnvelope());
  });

  test.each([
    ['an Error', new Error('ENOENT: /srv/hearth/secret')],
    ['an Error like one of ours', Object.assign(new Error('secret'), { status: 404, data: {} })],
    ['text', 'secret'],
    ['undefined', undefined],
    ['null', null],
  ])('[ER6] as a ServerError that names the operation alone, if it is %s', async (_what, error) => {
    const answer = renderError(error, 'Posting the message');
    expect(answer.status).toBe(500);
    expect(await readError(answer)).toEqual({
      status: 500,
      message: 'The server failed to handle this request',
      data: { error: 'Posting the message failed' },
    });
  });
});
