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
import { limitHeadersOf, type HeaderReader } from './limits/limit-headers.ts';

/** Where nothing at all tells how long to wait. */
const UNTOLD_WAIT_MS = 1_000;

/** How much of an answer that nobody expected is quoted. */
const QUOTED_CHARACTERS = 80;

/** An answer as it came, for whoever reads it otherwise than `fetch` gives it. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: HeaderReader;
  readonly text: string;
}

/** The error that an answer with a `status` of failure is. */
export function errorOfAnswer({ status, headers, text }: RawAnswer): HearthError {
  const envelope = receivedError.safeParse(parsedJson(text));
  if (!envelope.success) {
    const error = unexpectedAnswer(status, text);
    // A proxy has limits, too, and what it refused was not done either.
    return status === 429 ? new RateLimitedError(error.message, waitOf(headers)) : error;
  }
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
      const { retry_after: retryAfterMs = waitOf(headers), bytes_left: bytesLeft } = data;
      if (bytesLeft === undefined) return new RateLimitedError(message, retryAfterMs);
      return new FileSizeRateLimitedError(message, { retryAfterMs, bytesLeft });
    }
    case 500:
      return new ServerError(message, data.error ?? message);
    default:
      return new ApiError(status, message);
  }
}

/** How long to wait where the body does not tell: what HTTP has for it, in seconds, or a whole time frame. */
function waitOf(headers: HeaderReader): number {
  const seconds = headers.get('Retry-After') ?? '';
  if (/^\d+$/.test(seconds)) return Number(seconds) * 1000;
  return limitHeadersOf(headers)?.resetMs ?? UNTOLD_WAIT_MS;
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
