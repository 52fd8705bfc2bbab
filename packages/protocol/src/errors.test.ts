import { describe, expect, test } from 'bun:test';
import { errorEnvelopeSchema } from './error-envelope.ts';
import { errorSchemaOf } from './error-schemas.ts';
import {
  ConflictError,
  ERRORS,
  ExpectationFailedError,
  FileSizeRateLimitedError,
  ForbiddenError,
  MethodNotAllowedError,
  NotFoundError,
  RangeNotSatisfiableError,
  RateLimitedError,
  ServerError,
  UnauthorizedError,
  UpgradeRequiredError,
  ValidationError,
  type ProtocolError,
} from './errors.ts';

type Data = Readonly<Record<string, unknown>>;
type Case = readonly [title: string, error: ProtocolError, status: number, data: Data | undefined];

const CASES: readonly Case[] = [
  ['[ER2] RateLimitedError', new RateLimitedError(1234), 429, { retry_after: 1234 }],
  [
    '[ER12] RateLimitedError',
    new RateLimitedError(1234, 'busy'),
    429,
    { retry_after: 1234, code: 'busy' },
  ],
  [
    '[ER3] FileSizeRateLimitedError',
    new FileSizeRateLimitedError(1234, 0),
    429,
    { retry_after: 1234, bytes_left: 0 },
  ],
  [
    '[ER4] ValidationError',
    new ValidationError('author', 'must be text'),
    422,
    { field_name: 'author', error: 'must be text' },
  ],
  ['[ER5] NotFoundError', new NotFoundError(), 404, undefined],
  [
    '[ER6] ServerError',
    new ServerError('Posting the message'),
    500,
    { error: 'Posting the message failed' },
  ],
  ['[ER8] MethodNotAllowedError', new MethodNotAllowedError(['GET', 'HEAD']), 405, undefined],
  ['[ER8] RangeNotSatisfiableError', new RangeNotSatisfiableError(12), 416, undefined],
  ['[ER8] ExpectationFailedError', new ExpectationFailedError(), 417, undefined],
  ['[ER8] UpgradeRequiredError', new UpgradeRequiredError(), 426, undefined],
  ['[ER9] UnauthorizedError', new UnauthorizedError('token_ended'), 401, { code: 'token_ended' }],
  [
    '[ER10] ForbiddenError',
    new ForbiddenError({ code: 'permission_missing', permission: 'BAN' }),
    403,
    { code: 'permission_missing', permission: 'BAN' },
  ],
  [
    '[ER10] ForbiddenError',
    new ForbiddenError({ code: 'blocked_or_private' }),
    403,
    { code: 'blocked_or_private' },
  ],
  [
    '[ER11] ConflictError',
    new ConflictError({ code: 'too_many', field_name: 'pinned' }, { most: 10 }),
    409,
    {
      code: 'too_many',
      field_name: 'pinned',
      error: 'At most 10 posts can be pinned in a channel',
    },
  ],
];

describe.each(CASES)('%s', (title, error, status, data) => {
  const envelope = error.toEnvelope();

  test(`the error has the status ${status} and its data, which is absent if it has none`, () => {
    expect(envelope.status).toBe(status);
    expect(envelope.data).toEqual(data);
    expect(Object.keys(envelope)).toEqual(
      data === undefined ? ['status', 'message'] : ['status', 'message', 'data'],
    );
  });

  test('[ER1] the error has a message for people, in an envelope that survives JSON unchanged', () => {
    expect(envelope.message).toMatch(/^[A-Z].{10,}/);
    expect(errorEnvelopeSchema.parse(JSON.parse(JSON.stringify(envelope)))).toEqual(envelope);
  });

  test('the error is an Error with its own name', () => {
    expect(error).toBeInstanceOf(Error);
    expect<string>(error.name).toBe(title.slice(title.indexOf(' ') + 1));
    expect<string>(error.name).toBe(error.constructor.name);
    expect(error.message).toBe(envelope.message);
  });

  test('the error matches the schema of its kind, which lists all of its data', () => {
    const schema = errorSchemaOf(error.name);
    expect<object>(schema.parse(envelope)).toEqual(envelope);
    expect(schema.safeParse({ ...envelope, status: 418 }).success).toBe(false);
    expect(schema.safeParse({ status, message: 'x' }).success).toBe(data === undefined);
  });
});

test('every kind of error has a class and a case in this file', () => {
  expect(new Set<string>(CASES.map(([, { name }]) => name))).toEqual(new Set(Object.keys(ERRORS)));
});

test('[ER12] a place that is busy adds a code to what servers of the documented interface answer', () => {
  const limited = new RateLimitedError(1234).toEnvelope();
  const busy = new RateLimitedError(1234, 'busy').toEnvelope();
  expect(busy).toEqual({
    ...limited,
    message: 'Too much is happening here at once: try again in a moment',
    data: { ...limited.data, code: 'busy' },
  });
});

test('[ER4] the message of a ValidationError names the field and says what is wrong with it', () => {
  const { message } = new ValidationError('content', 'must be text of 1 to 2048 characters');
  expect(message).toBe('Invalid content: must be text of 1 to 2048 characters');
});

test.each([
  ['no status', { message: 'x' }],
  ['a status that is text', { status: '404', message: 'x' }],
  ['a status that is not a whole number', { status: 404.5, message: 'x' }],
  ['no message', { status: 404 }],
  ['data that is null', { status: 404, message: 'x', data: null }],
  ['data that is a list', { status: 404, message: 'x', data: [] }],
])('[ER1] an envelope may not have %s', (_what, value) => {
  expect(errorEnvelopeSchema.safeParse(value).success).toBe(false);
});
