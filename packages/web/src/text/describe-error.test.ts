import { expect, test } from 'bun:test';
import {
  ClosedError,
  FileSizeRateLimitedError,
  NetworkError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  UnexpectedAnswerError,
  ValidationError,
} from '@hearth/sdk';
import { MessageTooLongError, TooManyMessagesError } from '../composer/parcel.ts';
import { de } from './de.ts';
import { describeError } from './describe-error.ts';
import { en } from './en.ts';
import { Formats } from './formats.ts';

const ERRORS = [
  undefined,
  new NetworkError('broken'),
  new FileSizeRateLimitedError('bytes', { retryAfterMs: 9000, bytesLeft: 2_000_000 }),
  new RateLimitedError('slow', 3000),
  new ValidationError('no', { fieldName: 'author', error: 'must be text' }),
  new ValidationError('no', { fieldName: 'content', error: 'must be text' }),
  new ValidationError('no', { fieldName: 'file', error: 'is too big' }),
  new ValidationError('no', { fieldName: 'nonce', error: 'must be text' }),
  new NotFoundError('gone'),
  new ServerError('failed', 'it failed'),
  new UnexpectedAnswerError('a page'),
  new MessageTooLongError(2100, 2048),
  new TooManyMessagesError(),
  new ClosedError('closed'),
];

test.each([
  ['en', en],
  ['de', de],
] as const)('every class of error has a sentence of its own in %s', (locale, catalogue) => {
  const formats = new Formats(locale);
  const sentences = ERRORS.map((error) =>
    describeError({ error, of: 'message' }, catalogue, formats),
  );
  expect(new Set(sentences).size).toBe(ERRORS.length);
});

test('sentences name what is known', () => {
  const formats = new Formats('en');
  const say = (error: unknown) => describeError({ error, of: 'file' }, en, formats);
  expect(say(ERRORS[2])).toContain('2 MB');
  expect(say(ERRORS[2])).toContain('9 sec');
  expect(say(ERRORS[3])).toContain('3 sec');
  expect(say(ERRORS[7])).toContain('nonce');
  expect(say(ERRORS[11])).toContain('2,100');
  expect(say(ERRORS[1])).not.toContain('sent');
});
