import {
  ERRORS,
  type DisconnectReason,
  type ErrorName,
  type Feature,
  type Term,
} from '@hearth/protocol';

/** The base class of this library's errors. An abort is not one: it rejects with its signal's reason. */
export class HearthError extends Error {
  // Written out, because a bundler may give classes other names.
  override readonly name: string = 'HearthError';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** An error that the instance returned in its envelope; `status` is the HTTP status. */
export class ApiError extends HearthError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  /** Identifies the error for programs; undefined if the class alone identifies it. */
  readonly code: string | undefined;

  constructor(status: number, message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** An error of the protocol's table, which has its status. */
class KnownError extends ApiError {
  override readonly name: ErrorName;

  constructor(name: ErrorName, message: string, code?: string) {
    super(ERRORS[name].status, message, code);
    this.name = name;
  }
}

/**
 * 429: the client is rate limited and may try again in `retryAfterMs` milliseconds. With the code `busy`, too much was waiting
 * for the same place for as long as the request was repeated, and nothing was done.
 */
export class RateLimitedError extends KnownError {
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number, code?: string) {
    super('RateLimitedError', message, code);
    this.retryAfterMs = retryAfterMs;
  }
}

/** 429: only `bytesLeft` more bytes may be uploaded within the next `retryAfterMs` milliseconds. */
export class FileSizeRateLimitedError extends KnownError {
  readonly retryAfterMs: number;
  readonly bytesLeft: number;

  constructor(
    message: string,
    data: { readonly retryAfterMs: number; readonly bytesLeft: number },
  ) {
    super('FileSizeRateLimitedError', message);
    this.retryAfterMs = data.retryAfterMs;
    this.bytesLeft = data.bytesLeft;
  }
}

/** 422: the field `fieldName` of the request is not valid; `error` says why. */
export class ValidationError extends KnownError {
  readonly fieldName: string;
  readonly error: string;

  constructor(message: string, data: { readonly fieldName: string; readonly error: string }) {
    super('ValidationError', message);
    this.fieldName = data.fieldName;
    this.error = data.error;
  }
}

/** 401: the request needs a valid token; `code` says what is wrong with its token. */
export class UnauthorizedError extends KnownError {
  constructor(message: string, code: string | undefined) {
    super('UnauthorizedError', message, code);
  }
}

/** The known details of a refusal. */
export interface ForbiddenDetails {
  readonly code: string | undefined;
  readonly permission?: string | undefined;
  readonly untilMs?: number | undefined;
  readonly reason?: string | undefined;
}

/**
 * 403: the caller may not do this. `code` is `paused`, `banned` or `access_code`, for example; `permission` names the
 * missing permission, if there is one.
 */
export class ForbiddenError extends KnownError {
  readonly permission: string | undefined;
  /** When it may be possible again, in Unix milliseconds; undefined if that is not known. */
  readonly untilMs: number | undefined;
  /** The reason that the instance's owner gives for it. */
  readonly reason: string | undefined;

  constructor(message: string, { code, permission, untilMs, reason }: ForbiddenDetails) {
    super('ForbiddenError', message, code);
    this.permission = permission;
    this.untilMs = untilMs;
    this.reason = reason;
  }
}

/** 409: the field `fieldName` conflicts with something that exists; `error` says how. */
export class ConflictError extends KnownError {
  readonly fieldName: string | undefined;
  readonly error: string;

  constructor(
    message: string,
    data: {
      readonly code: string | undefined;
      readonly fieldName: string | undefined;
      readonly error: string;
    },
  ) {
    super('ConflictError', message, data.code);
    this.fieldName = data.fieldName;
    this.error = data.error;
  }
}

/** 404: it does not exist. */
export class NotFoundError extends KnownError {
  constructor(message: string) {
    super('NotFoundError', message);
  }
}

/** 500: the instance failed; `error` names the operation that failed. */
export class ServerError extends KnownError {
  readonly error: string;

  constructor(message: string, error: string) {
    super('ServerError', message);
    this.error = error;
  }
}

/** The instance could not be reached, did not answer in time, or broke the connection; `cause` is the runtime's error. */
export class NetworkError extends HearthError {
  override readonly name: string = 'NetworkError';
}

/** The answer is not one of the interface: a proxy's page, another service, a wrong shape. */
export class UnexpectedAnswerError extends HearthError {
  override readonly name: string = 'UnexpectedAnswerError';
  /** The HTTP status of the answer; undefined if the answer was valid but its contents cannot be used. */
  readonly status: number | undefined;

  constructor(message: string, options?: ErrorOptions & { readonly status?: number }) {
    super(message, options);
    this.status = options?.status;
  }
}

/** The instance does not offer what was requested: its capabilities do not list `feature`. */
export class FeatureUnavailableError extends HearthError {
  override readonly name: string = 'FeatureUnavailableError';
  readonly feature: Feature;

  constructor(feature: Feature) {
    super(`This instance has no ${feature}`);
    this.feature = feature;
  }
}

/** The history was requested from an instance that has none. */
export class HistoryUnavailableError extends FeatureUnavailableError {
  override readonly name: string = 'HistoryUnavailableError';
  constructor() {
    super('history');
  }
}

/** More requests wait for a limit than `mostWaiting` allows. */
export class QueueFullError extends HearthError {
  override readonly name: string = 'QueueFullError';
}

/** A reader of `messages()` is more than `mostBuffered` messages late. */
export class OverflowError extends HearthError {
  override readonly name: string = 'OverflowError';
}

/** The client is closed. */
export class ClosedError extends HearthError {
  override readonly name: string = 'ClosedError';
  /** Why the instance does not want this client, such as `banned`; undefined if the caller has closed it. */
  readonly reason: DisconnectReason | 'network' | undefined;
  /** The ban that the instance has reported. */
  readonly ban: Term | undefined;

  constructor(message: string, reason?: DisconnectReason | 'network', ban?: Term) {
    super(message);
    this.reason = reason;
    this.ban = ban;
  }
}

/** Returns whether a request that failed with this error may succeed soon. */
export function mayPass(error: unknown): boolean {
  if (error instanceof NetworkError || error instanceof QueueFullError) return true;
  if (!(error instanceof ApiError || error instanceof UnexpectedAnswerError)) return false;
  return error.status === 429 || (error.status ?? 0) >= 500;
}
