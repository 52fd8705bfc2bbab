import type { ErrorEnvelope } from './error-envelope.ts';

/** Any failure that a client is told of; `data` goes into the envelope as it is. */
export class ProtocolError extends Error {
  readonly status: number;
  readonly data: Readonly<Record<string, string | number>> | undefined;

  constructor(status: number, message: string, data?: Readonly<Record<string, string | number>>) {
    super(message);
    this.name = new.target.name;
    this.status = status;
    this.data = data;
  }

  /** The documented envelope of this error. */
  toEnvelope(): ErrorEnvelope {
    const { status, message, data } = this;
    return data === undefined ? { status, message } : { status, message, data };
  }
}

/** 429: the client is rate limited; `retry_after` in milliseconds. */
export class RateLimitedError extends ProtocolError {
  constructor(retryAfterMs: number) {
    super(429, 'You are being rate limited', { retry_after: retryAfterMs });
  }
}

/** 429: the byte allowance of the time frame is used up; `retry_after` in milliseconds. */
export class FileSizeRateLimitedError extends ProtocolError {
  constructor(retryAfterMs: number, bytesLeft: number) {
    super(429, 'You have used up the bytes you may upload for now', {
      retry_after: retryAfterMs,
      bytes_left: bytesLeft,
    });
  }
}

/** 422: the request is invalid; `fieldName` is the offending field and `error` what is wrong with it. */
export class ValidationError extends ProtocolError {
  constructor(fieldName: string, error: string) {
    super(422, `Invalid ${fieldName}: ${error}`, { field_name: fieldName, error });
  }
}

/** 404: the requested resource cannot be found. */
export class NotFoundError extends ProtocolError {
  constructor() {
    super(404, 'The requested resource could not be found');
  }
}

/** 405: the resource exists and does not know the method. Not in the documented table; `allow` goes into the Allow header. */
export class MethodNotAllowedError extends ProtocolError {
  readonly allow: readonly string[];

  constructor(allow: readonly string[]) {
    super(405, `This resource answers ${allow.join(', ')} only`);
    this.allow = allow;
  }
}

/** 416: no byte of the requested range exists. Not in the documented table; `sizeBytes` goes into Content-Range. */
export class RangeNotSatisfiableError extends ProtocolError {
  readonly sizeBytes: number;

  constructor(sizeBytes: number) {
    super(416, `The requested range is outside the ${sizeBytes} bytes of this file`);
    this.sizeBytes = sizeBytes;
  }
}

/** 417: the `Expect` header asks for something that the instance cannot do. Not in the documented table. */
export class ExpectationFailedError extends ProtocolError {
  constructor() {
    super(417, 'Of expectations the instance meets 100-continue only, written like this');
  }
}

/** 426: the gateway's port was asked for something other than a WebSocket. Not in the documented table. */
export class UpgradeRequiredError extends ProtocolError {
  constructor() {
    super(426, 'This is the gateway: connect with a WebSocket client');
  }
}

/** 500: a failure of ours; `operation` says what failed and never how. */
export class ServerError extends ProtocolError {
  constructor(operation: string) {
    super(500, 'The server failed to handle this request', { error: `${operation} failed` });
  }
}
