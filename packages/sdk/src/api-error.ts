import { receivedError } from '@hearth/protocol/received';
import {
  ApiError,
  FileSizeRateLimitedError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  UnexpectedAnswerError,
  ValidationError,
  type HearthError,
} from './errors.ts';

/** Where a 429 does not tell how long to wait. */
const UNTOLD_WAIT_MS = 1_000;

/** How much of an answer that nobody expected is quoted. */
const QUOTED_CHARACTERS = 80;

/** The error that an answer with a `status` of failure and this body is. */
export function errorOfAnswer(status: number, text: string): HearthError {
  const envelope = receivedError.safeParse(parsedJson(text));
  if (!envelope.success) return unexpectedAnswer(status, text);
  const { message, data } = envelope.data;
  switch (status) {
    case 404:
      return new NotFoundError(message);
    case 422: {
      const { field_name: fieldName, error = message } = data;
      if (fieldName === undefined) return new ApiError(status, message);
      return new ValidationError(message, { fieldName, error });
    }
    case 429: {
      const { retry_after: retryAfterMs = UNTOLD_WAIT_MS, bytes_left: bytesLeft } = data;
      if (bytesLeft === undefined) return new RateLimitedError(message, retryAfterMs);
      return new FileSizeRateLimitedError(message, { retryAfterMs, bytesLeft });
    }
    case 500:
      return new ServerError(message, data.error ?? message);
    default:
      return new ApiError(status, message);
  }
}

/** The error for an answer that is nothing the interface knows, told by what came. */
export function unexpectedAnswer(
  status: number,
  text: string,
  cause?: Error,
): UnexpectedAnswerError {
  const quoted = JSON.stringify(text.slice(0, QUOTED_CHARACTERS));
  const got =
    text === '' ? 'an empty body' : `${quoted}${text.length > QUOTED_CHARACTERS ? '…' : ''}`;
  return new UnexpectedAnswerError(
    `This is no answer of an instance: status ${status} with ${got}`,
    cause === undefined ? { status } : { status, cause },
  );
}

/** `text` as JSON, or undefined where it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
