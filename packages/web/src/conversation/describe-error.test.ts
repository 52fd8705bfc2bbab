import { expect, test } from 'bun:test';
import {
  ClosedError,
  ConflictError,
  FileSizeRateLimitedError,
  ForbiddenError,
  NetworkError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  UnexpectedAnswerError,
  ValidationError,
} from '@hearth/sdk';
import { MessageTooLongError, TooManyMessagesError } from './uploads/deliver.ts';
import { de } from '../text/de.ts';
import { describeError, describeUnsent } from './describe-error.ts';
import { en } from '../text/en.ts';
import { enConflicts } from '../text/en/conflicts.ts';
import { Formats } from '../text/formats.ts';

const ERRORS = [
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
  new ForbiddenError('no', { code: 'paused' }),
  new ForbiddenError('no', { code: 'banned' }),
  new ForbiddenError('no', { code: 'access_code' }),
  new ConflictError('no', { code: 'too_many', fieldName: 'emoji', error: 'are at most 20' }),
  new RateLimitedError('Too much', 3000, 'busy'),
];

test.each([
  ['en', en],
  ['de', de],
] as const)(
  '[WC399] every class of error, and a busy place, has a different sentence in %s',
  (locale, catalogue) => {
    const formats = new Formats(locale);
    const sentences = ERRORS.map((error) => describeError(error, catalogue, formats));
    expect(new Set(sentences).size).toBe(ERRORS.length);
  },
);

test('sentences name the known values', () => {
  const formats = new Formats('en');
  const say = (index: number) => describeError(ERRORS[index], en, formats);
  expect(say(1)).toContain('2 MB');
  expect(say(1)).toContain('9 sec');
  expect(say(2)).toContain('3 sec');
  expect(say(6)).toContain('nonce');
  expect(say(16)).toBe(enConflicts.too_many.emoji);
  expect(say(10)).toContain('2,100');
  expect(say(0)).not.toContain('sent');
});

test('an unsent message says whether it may have been sent, and why it failed', () => {
  const formats = new Formats('en');
  const say = (error: unknown, mayHaveBeenSent: boolean) =>
    describeUnsent({ error, mayHaveBeenSent }, en, formats);
  const { errors } = en.shell;
  expect(say(undefined, true)).toBe(errors.leftOnItsWay);
  expect(say(undefined, false)).toBe(errors.leftUnsent);
  expect(say(ERRORS[0], true)).toBe(errors.maybeNotSent(errors.network));
  expect(say(ERRORS[4], false)).toBe(errors.notSent(errors.content('must be text')));
});
