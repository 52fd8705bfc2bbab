import type { AnyErrorData, ErrorName } from '@hearth/protocol';
import { errorNameOf, receivedError } from '@hearth/protocol/received';
import {
  ApiError,
  ConflictError,
  FileSizeRateLimitedError,
  ForbiddenError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  UnauthorizedError,
  UnexpectedAnswerError,
  ValidationError,
  type HearthError,
} from './errors.ts';
import { limitHeadersOf, type HeaderReader } from './limits/limit-headers.ts';

/** The wait if neither the body nor a header gives one. */
const DEFAULT_WAIT_MS = 1_000;

/** The number of characters of an unexpected answer that are quoted. */
const QUOTED_CHARACTERS = 80;

/** An answer as it came, for code that does not read it through `fetch`. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: HeaderReader;
  readonly text: string;
}

/** The error that an answer with an error status stands for. */
export function errorOfAnswer({ status, headers, text }: RawAnswer): HearthError {
  const envelope = receivedError.safeParse(parsedJson(text));
  if (!envelope.success) {
    const error = unexpectedAnswer(status, text);
    // A proxy has limits too, and it did not carry out what it refused.
    return status === 429 ? new RateLimitedError(error.message, waitOf(headers)) : error;
  }
  const { message, data } = envelope.data;
  const name = errorNameOf(status, data);
  const known = name === undefined ? undefined : CLASSES[name]?.(message, data, headers);
  return known ?? new ApiError(status, message, data.code);
}

/** The class of each error of the table. Any other error, and one that lacks the data of its class, is an ApiError. */
const CLASSES: Partial<Record<ErrorName, (...args: ErrorArguments) => ApiError | undefined>> = {
  RateLimitedError: (message, data, headers) =>
    new RateLimitedError(message, data.retry_after ?? waitOf(headers), data.code),
  FileSizeRateLimitedError: (message, data, headers) =>
    new FileSizeRateLimitedError(message, {
      retryAfterMs: data.retry_after ?? waitOf(headers),
      bytesLeft: data.bytes_left ?? 0,
    }),
  ValidationError: (message, { field_name: fieldName, error = message }) =>
    fieldName === undefined ? undefined : new ValidationError(message, { fieldName, error }),
  UnauthorizedError: (message, { code }) => new UnauthorizedError(message, code),
  ForbiddenError: (message, { code, permission, until: untilMs, reason }) =>
    new ForbiddenError(message, { code, permission, untilMs, reason }),
  NotFoundError: (message) => new NotFoundError(message),
  ConflictError: (message, { code, field_name: fieldName, error = message }) =>
    new ConflictError(message, { code, fieldName, error }),
  ServerError: (message, { error = message }) => new ServerError(message, error),
};

type ErrorArguments = [message: string, data: AnyErrorData, headers: HeaderReader];

/** The wait if the body does not give one: from `Retry-After`, in seconds, else the whole time frame. */
function waitOf(headers: HeaderReader): number {
  const seconds = headers.get('Retry-After') ?? '';
  if (/^\d+$/.test(seconds)) return Number(seconds) * 1000;
  return limitHeadersOf(headers)?.resetMs ?? DEFAULT_WAIT_MS;
}

/** The error for an answer that the interface does not know; the message quotes the answer. */
export function unexpectedAnswer(
  status: number,
  text: string,
  cause?: Error,
): UnexpectedAnswerError {
  const quoted = JSON.stringify(text.slice(0, QUOTED_CHARACTERS));
  const got =
    text === '' ? 'an empty body' : `${quoted}${text.length > QUOTED_CHARACTERS ? '…' : ''}`;
  return new UnexpectedAnswerError(
    `Not an answer of an instance: status ${status} with ${got}`,
    cause === undefined ? { status } : { status, cause },
  );
}

/** `text` parsed as JSON, or undefined if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
