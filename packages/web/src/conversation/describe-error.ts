import {
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
import { describeConflict } from './describe-conflict.ts';
import { describeRefusal } from './describe-refusal.ts';
import { refusalIn } from './refusals.ts';
import type { FailedDelivery } from '../writing/outbox/pending-message.ts';
import type { Catalogue } from '../text/catalogue.ts';
import type { Formats } from '../text/formats.ts';

/** A sentence for the reader about an error, one for each class. */
export function describeError(error: unknown, text: Catalogue, formats: Formats): string {
  const words = text.shell.errors;
  if (error instanceof NetworkError) return words.network;
  if (error instanceof FileSizeRateLimitedError) {
    return words.bytesLeft(formats.size(error.bytesLeft), formats.duration(error.retryAfterMs));
  }
  if (error instanceof RateLimitedError) {
    return error.code === 'busy'
      ? words.busy
      : words.rateLimited(formats.duration(error.retryAfterMs));
  }
  if (error instanceof ForbiddenError) {
    const refusal = refusalIn(error);
    return refusal === undefined ? words.forbidden : describeRefusal(refusal, text, formats);
  }
  if (error instanceof ValidationError) return describeInvalid(error, words);
  if (error instanceof ConflictError) return describeConflict(error, text);
  if (error instanceof NotFoundError) return words.gone;
  if (error instanceof ServerError) return words.server;
  if (error instanceof UnexpectedAnswerError) return words.unexpected;
  if (error instanceof MessageTooLongError) {
    return words.tooLong(formats.count(error.length), formats.count(error.limit));
  }
  return error instanceof TooManyMessagesError ? words.tooMany : words.unknown;
}

/** Why a message failed; whether it may have been sent comes first. */
export function describeUnsent(
  { error, mayHaveBeenSent }: Pick<FailedDelivery, 'error' | 'mayHaveBeenSent'>,
  text: Catalogue,
  formats: Formats,
): string {
  const words = text.shell.errors;
  if (error === undefined) return mayHaveBeenSent ? words.leftOnItsWay : words.leftUnsent;
  const why = describeError(error, text, formats);
  return mayHaveBeenSent ? words.maybeNotSent(why) : words.notSent(why);
}

function describeInvalid(error: ValidationError, words: Catalogue['shell']['errors']): string {
  switch (error.fieldName) {
    case 'author':
      return words.author(error.error);
    case 'content':
      return words.content(error.error);
    case 'file':
      return words.file(error.error);
    default:
      return words.field(error.fieldName, error.error);
  }
}
