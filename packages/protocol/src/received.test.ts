import { describe, expect, test } from 'bun:test';
import { errorFields, ERROR_NAMES, ERRORS } from './errors.ts';
import {
  errorNameOf,
  receivedError,
  receivedEvent,
  receivedFileData,
  receivedInstanceInfo,
  receivedProfileEvent,
  receivedRateLimits,
} from './received.ts';

const info = {
  instance_name: 'Elsewhere',
  description: null,
  version: '0.3.2',
  message_limit: 2048,
  oprish_url: 'http://a',
  pandemonium_url: 'ws://a',
  effis_url: 'http://a',
  file_size: 1,
  attachment_file_size: 1,
};
const file = { id: '1', name: 'a', bucket: 'attachments', metadata: { type: 'text' } };
const plain = { reset_after: 5, limit: 2 };
const effis = {
  assets: { ...plain, file_size_limit: 3 },
  attachments: { ...plain, file_size_limit: 3 },
  fetch_file: plain,
};

describe('the answers of other servers', () => {
  test('may have an InstanceInfo with more fields, or without those that came later', () => {
    const { version: _later, description: _optional, ...older } = info;
    expect(receivedInstanceInfo.parse({ ...older, rules: [] })).toEqual({
      ...info,
      version: '',
      description: null,
    });
    expect(receivedInstanceInfo.safeParse({ ...info, oprish_url: 7 }).success).toBe(false);
  });

  test.each(['rate limits', 'rate_limits', 'ratelimits'])(
    'the answers may list the limits under %j alone',
    (key) => {
      const limits = { oprish: { info: plain, message_create: plain, [key]: plain } };
      const { oprish } = receivedRateLimits.parse({ ...limits, pandemonium: plain, effis });
      expect(oprish).toEqual({
        info: plain,
        message_create: plain,
        'rate limits': plain,
        rate_limits: plain,
        ratelimits: plain,
      });
    },
  );

  test('the answers are refused if the limits are not limits', () => {
    const without = { oprish: { info: plain, message_create: plain }, pandemonium: plain, effis };
    for (const value of [without, { ...without, oprish: null }, 7]) {
      expect(receivedRateLimits.safeParse(value).success).toBe(false);
    }
  });

  test.each<readonly [string, object, object]>([
    ['a bare number for an id', { id: 34 }, { id: '34' }],
    ['spoiler: false', { spoiler: false }, {}],
    ['spoiler: null', { spoiler: null }, {}],
    ['spoiler: true', { spoiler: true }, { spoiler: true }],
    ['a word of its own', { metadata: { type: 'audio' } }, { metadata: { type: 'other' } }],
    ['a picture without a size', { metadata: { type: 'image' } }, { metadata: { type: 'other' } }],
    ['more fields', { hash: 'x' }, {}],
  ])('may have a FileData with %s', (_what, given, read) => {
    expect<object>(receivedFileData.parse({ ...file, ...given })).toStrictEqual({
      ...file,
      ...read,
    });
  });

  test.each([
    ['no metadata', { metadata: undefined }],
    ['an id that is neither', { id: null }],
    ['a name that is not text', { name: 7 }],
  ])('the answers are refused if a FileData has %s', (_what, given) => {
    expect(receivedFileData.safeParse({ ...file, ...given }).success).toBe(false);
  });
});

test('the fields of an error that have the right type are read, and the others are dropped', () => {
  const envelope = { status: 429, message: 'no' };
  expect(receivedError.parse(envelope)).toStrictEqual({ ...envelope, data: {} });
  for (const data of [null, [], 'x', 7]) {
    expect(receivedError.parse({ ...envelope, data })).toStrictEqual({ ...envelope, data: {} });
  }
  const mixed = { retry_after: -1, bytes_left: 5, error: [], field_name: 'a', more: 1 };
  expect(receivedError.parse({ ...envelope, data: mixed }).data).toEqual({
    bytes_left: 5,
    field_name: 'a',
  });
  expect(receivedError.safeParse({ error: 'x' }).success).toBe(false);
});

test.each([
  ['RateLimitedError', 429, {}],
  ['RateLimitedError', 429, { retry_after: 1 }],
  ['RateLimitedError', 429, { retry_after: 1, bytes_left: 'few' }],
  ['FileSizeRateLimitedError', 429, { retry_after: 1, bytes_left: 0 }],
  ['FileSizeRateLimitedError', 429, { bytes_left: 0 }],
  ['ValidationError', 422, {}],
  ['NotFoundError', 404, { error: 'x' }],
  [undefined, 418, { error: 'x' }],
] as const)('an error is %s if its status is %p and its data %j', (name, status, data) => {
  expect(errorNameOf(status, receivedError.parse({ status, message: 'x', data }).data)).toBe(name);
});

test.each(ERROR_NAMES)('%s is recognised by its status and all of its data', (name) => {
  const { status } = ERRORS[name];
  const values = Object.entries(errorFields(name)).map(([field, type]) => [
    field,
    type.startsWith('text') ? 'x' : 1,
  ]);
  const data: unknown = Object.fromEntries(values);
  const read = receivedError.parse({ status, message: 'x', data });
  expect<unknown>(read.data).toEqual(data);
  expect(errorNameOf(status, read.data)).toBe(name);
});

test('an event of either profile is read in the form of that profile', () => {
  const d = { author: 'ada', content: 'x' };
  const placed = { ...d, id: '7', created_at: 1 };
  const event = { op: 'MESSAGE_CREATE', s: 1, d: placed };
  expect(receivedEvent.parse(event)).toStrictEqual({ op: 'MESSAGE_CREATE', d });
  expect<object>(receivedProfileEvent.parse(event)).toEqual(event);
  expect(receivedProfileEvent.safeParse({ op: 'MESSAGE_CREATE', d }).success).toBe(false);
  const unknown = { op: 'DISCONNECT', d: { reason: 'moved', reconnect: false, retry_after: 3 } };
  expect(receivedProfileEvent.parse(unknown)).toMatchObject({
    d: { reason: 'server_error', reconnect: false, retry_after: 3 },
  });
});
