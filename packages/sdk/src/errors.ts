/** Everything that this library throws of its own, but for aborts: those reject with their signal's reason. */
export class HearthError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** An error that the instance answered in its envelope; `status` is the HTTP status. */
export class ApiError extends HearthError {
  readonly status: number;
  /** Names the error for programs; undefined if its class alone identifies it. */
  readonly code: string | undefined;

  constructor(status: number, message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** 429: the client is rate limited, and may come again in `retryAfterMs` milliseconds. */
export class RateLimitedError extends ApiError {
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number) {
    super(429, message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** 429: of the bytes that may be uploaded in a time frame only `bytesLeft` are left, for `retryAfterMs` milliseconds. */
export class FileSizeRateLimitedError extends ApiError {
  readonly retryAfterMs: number;
  readonly bytesLeft: number;

  constructor(
    message: string,
    data: { readonly retryAfterMs: number; readonly bytesLeft: number },
  ) {
    super(429, message);
    this.retryAfterMs = data.retryAfterMs;
    this.bytesLeft = data.bytesLeft;
  }
}

/** 422: the field `fieldName` of the request is not valid; `error` says what is wrong with it. */
export class ValidationError extends ApiError {
  readonly fieldName: string;
  readonly error: string;

  constructor(message: string, data: { readonly fieldName: string; readonly error: string }) {
    super(422, message);
    this.fieldName = data.fieldName;
    this.error = data.error;
  }
}

/** 401: the request needs a valid token; `code` says what is wrong with the one that it has. */
export class UnauthorizedError extends ApiError {
  constructor(message: string, code: string | undefined) {
    super(401, message, code);
  }
}

/** 403: the caller may not do this; `permission` names the missing permission, if there is one. */
export class ForbiddenError extends ApiError {
  readonly permission: string | undefined;

  constructor(
    message: string,
    data: { readonly code: string | undefined; readonly permission: string | undefined },
  ) {
    super(403, message, data.code);
    this.permission = data.permission;
  }
}

/** 409: the field `fieldName` conflicts with something that exists; `error` says how. */
export class ConflictError extends ApiError {
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
    super(409, message, data.code);
    this.fieldName = data.fieldName;
    this.error = data.error;
  }
}

/** 404: there is no such thing. */
export class NotFoundError extends ApiError {
  constructor(message: string) {
    super(404, message);
  }
}

/** 500: the instance failed; `error` names what failed. */
export class ServerError extends ApiError {
  readonly error: string;

  constructor(message: string, error: string) {
    super(500, message);
    this.error = error;
  }
}

/** The instance could not be reached, did not answer in time, or broke off; `cause` is what the runtime said. */
export class NetworkError extends HearthError {}

/** An answer came that the interface does not know: a proxy's page, another service, a wrong shape. */
export class UnexpectedAnswerError extends HearthError {
  /** The HTTP status of the answer; undefined where what it says cannot be used. */
  readonly status: number | undefined;

  constructor(message: string, options?: ErrorOptions & { readonly status?: number }) {
    super(message, options);
    this.status = options?.status;
  }
}

/** The history was asked of an instance that has none. */
export class HistoryUnavailableError extends HearthError {}

/** More requests wait for a limit already than may (`mostWaiting`). */
export class QueueFullError extends HearthError {}

/** A reader of `messages()` fell further behind than `mostBuffered`. */
export class OverflowError extends HearthError {}

/** The client is closed. */
export class ClosedError extends HearthError {}

/** Whether a request that failed like this may succeed soon. */
export function mayPass(error: unknown): boolean {
  if (error instanceof NetworkError || error instanceof QueueFullError) return true;
  if (!(error instanceof ApiError || error instanceof UnexpectedAnswerError)) return false;
  return error.status === 429 || (error.status ?? 0) >= 500;
}
