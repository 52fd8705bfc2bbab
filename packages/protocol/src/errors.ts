import { conflictSentence, type Conflict } from './conflicts.ts';
import type { ErrorCode } from './error-codes.ts';
import type { ErrorEnvelope } from './error-envelope.ts';

export type { ErrorCode } from './error-codes.ts';

/** The type of a field of an error's `data`. A field whose name ends with `?` is omitted if it has no value. */
export type ErrorFieldType = 'text' | 'number' | 'text?' | 'number?';

/** One kind of error. */
export interface ErrorKind {
  readonly status: number;
  /** When it is raised, as a sentence without its full stop. */
  readonly about: string;
  /** For people. A name in braces stands for a field of `data`, or for a detail that is sent as a header. */
  readonly message: string;
  /** More precise messages, by `data.code`. */
  readonly messageByCode?: Readonly<Record<string, string>>;
  /** Absent for an error without `data`. */
  readonly data?: Readonly<Record<string, ErrorFieldType>>;
}

/** Every error that an instance answers with. Classes, schemas and the parsing of answers come from this table. */
export const ERRORS = {
  RateLimitedError: {
    status: 429,
    about: 'The client may come again in `retry_after` milliseconds, and `code` may say why',
    message: 'You are being rate limited',
    messageByCode: { busy: 'Too much is happening here at once: try again in a moment' },
    data: { retry_after: 'number', code: 'text?' },
  },
  FileSizeRateLimitedError: {
    status: 429,
    about:
      'The client may upload only `bytes_left` more bytes in this time frame, which ends in `retry_after` milliseconds',
    message: 'You have used up the bytes you may upload for now',
    data: { retry_after: 'number', bytes_left: 'number' },
  },
  ValidationError: {
    status: 422,
    about: 'The field `field_name` of the request is not valid, and `error` says what is wrong',
    message: 'Invalid {field_name}: {error}',
    data: { field_name: 'text', error: 'text' },
  },
  UnauthorizedError: {
    status: 401,
    about: 'The request needs a valid token, and `code` says what is wrong with the one it has',
    message: 'This needs a valid token',
    messageByCode: {
      token_ended: 'Your session has ended: sign in again',
      credentials_wrong: 'The name or the password is wrong',
      factor_required: 'This needs a code of your second factor',
      factor_wrong: 'The code of your second factor is wrong',
    },
    data: { code: 'text' },
  },
  ForbiddenError: {
    status: 403,
    about:
      'The caller may not do this, and `code` says why: `permission` names the one that is missing; `until` is when it may be possible again, in Unix milliseconds, and `reason` is what the owner says about it',
    message: 'You may not do this',
    messageByCode: {
      rank_too_low: 'This takes a higher role than yours',
      role_denies: 'This role takes something away, so only others can take it from you',
      timed_out: 'You may only read here for now',
      join_closed: 'This community takes an invite or a request to join',
      not_member: 'Only members of the community may do this',
      not_author: 'Only the author of a message may change it',
      paused: 'This is paused for now',
      mail_unavailable: 'This server sends no mail: ask its owner',
      banned: 'You are banned from this server',
      banned_here: 'You are banned from this community',
      access_code: 'This server needs its access code, and the request has none or a wrong one',
      registration_closed: 'Nobody can register an account on this server',
      registration_blocked: 'Accounts cannot be registered from this network',
      pending_approval: 'This account has not been approved yet',
      account_disabled: 'This account is disabled',
    },
    data: { code: 'text', permission: 'text?', until: 'number?', reason: 'text?' },
  },
  NotFoundError: {
    status: 404,
    about: 'The requested resource cannot be found',
    message: 'The requested resource could not be found',
  },
  MethodNotAllowedError: {
    status: 405,
    about: 'The resource does not have this method; the Allow header lists those that it has',
    message: 'This resource answers {allow} only',
  },
  ConflictError: {
    status: 409,
    about: 'The field `field_name` conflicts with something that exists, and `error` says how',
    message: '{error}',
    data: { code: 'text', field_name: 'text', error: 'text' },
  },
  RangeNotSatisfiableError: {
    status: 416,
    about: 'No byte of the requested range exists; the Content-Range header has the size',
    message: 'The requested range is outside the {size_bytes} bytes of this file',
  },
  ExpectationFailedError: {
    status: 417,
    about: 'The Expect header asks for something other than 100-continue',
    message: 'Of expectations the instance meets 100-continue only, written like this',
  },
  UpgradeRequiredError: {
    status: 426,
    about: 'The gateway was asked for something other than a WebSocket',
    message: 'This is the gateway: connect with a WebSocket client',
  },
  ServerError: {
    status: 500,
    about: 'The instance failed, and `error` names the operation that failed',
    message: 'The server failed to handle this request',
    data: { error: 'text' },
  },
} as const satisfies Readonly<Record<string, ErrorKind>>;

/** The name of an error, which is also the name of its class. */
export type ErrorName = keyof typeof ERRORS;

/** The names of all errors. */
export const ERROR_NAMES = Object.keys(ERRORS).filter(isErrorName);

/** The fields of the `data` of the error `name`, and their types. */
export function errorFields(name: ErrorName): Readonly<Record<string, ErrorFieldType>> {
  return { data: {}, ...ERRORS[name] }.data;
}

/** The `data` of an error. */
export type ErrorData<Name extends ErrorName> = DataOf<(typeof ERRORS)[Name]>;

/** All fields that the `data` of any error may have. */
export type AnyErrorData = {
  readonly [Field in FieldsOf<ErrorFields>]?: FieldValue<TypeOf<ErrorFields, Field>> | undefined;
};

type ErrorFields = Extract<(typeof ERRORS)[ErrorName], { readonly data: object }>['data'];

type FieldsOf<Fields> = Fields extends unknown ? keyof Fields : never;

type TypeOf<Fields, Field extends PropertyKey> =
  Fields extends Readonly<Record<Field, infer Type>> ? Type : never;

type DataOf<Kind> = Kind extends { readonly data: infer Fields } ? DataFields<Fields> : undefined;

type DataFields<Fields> = {
  readonly [
    Field in keyof Fields as Fields[Field] extends `${string}?` ? never : Field
  ]: FieldValue<Fields[Field]>;
} & {
  readonly [
    Field in keyof Fields as Fields[Field] extends `${string}?` ? Field : never
  ]?: FieldValue<Fields[Field]>;
};

type FieldValue<Type> = Type extends 'text' | 'text?' ? string : number;

type Values = Readonly<Record<string, string | number>>;

/** Any failure that is reported to a client; `data` goes into the envelope as it is. */
export abstract class ProtocolError extends Error {
  override readonly name: ErrorName;
  readonly status: number;
  readonly data: Values | undefined;

  constructor({ name, message, data }: Occurrence) {
    super(message);
    this.name = name;
    this.status = ERRORS[name].status;
    this.data = data;
  }

  /** The documented envelope of this error. */
  toEnvelope(): ErrorEnvelope {
    const { status, message, data } = this;
    return data === undefined ? { status, message } : { status, message, data };
  }
}

/** 429; `retryAfterMs` is at least 1. With `busy`, nothing was done, and clients send the request again (ER12). */
export class RateLimitedError extends ProtocolError {
  constructor(retryAfterMs: number, code?: 'busy') {
    const data = { retry_after: retryAfterMs, ...(code === undefined ? {} : { code }) };
    super(occurrence('RateLimitedError', data));
  }
}

/** 429, for the bytes of a time frame. */
export class FileSizeRateLimitedError extends ProtocolError {
  constructor(retryAfterMs: number, bytesLeft: number) {
    const data = { retry_after: retryAfterMs, bytes_left: bytesLeft };
    super(occurrence('FileSizeRateLimitedError', data));
  }
}

/** 422; `error` completes "Invalid author: …". */
export class ValidationError extends ProtocolError {
  constructor(fieldName: string, error: string) {
    super(occurrence('ValidationError', { field_name: fieldName, error }));
  }
}

/** 401. An answer with `token_ended` means that the token's signature, times and `jti` have been checked. */
export class UnauthorizedError extends ProtocolError {
  constructor(code: ErrorCode) {
    super(occurrence('UnauthorizedError', { code }));
  }
}

/** 403. */
export class ForbiddenError extends ProtocolError {
  constructor(data: ErrorData<'ForbiddenError'> & { readonly code: ErrorCode }) {
    super(occurrence('ForbiddenError', data));
  }
}

/** 404. */
export class NotFoundError extends ProtocolError {
  constructor() {
    super(occurrence('NotFoundError', undefined));
  }
}

/** 405; `allow` goes into the Allow header. Not in the documented table. */
export class MethodNotAllowedError extends ProtocolError {
  readonly allow: readonly string[];

  constructor(allow: readonly string[]) {
    super(occurrence('MethodNotAllowedError', undefined, { allow: allow.join(', ') }));
    this.allow = allow;
  }
}

/** 409; its message and `error` are the sentence of {@link CONFLICTS}, in which `details` are filled in. */
export class ConflictError extends ProtocolError {
  constructor(conflict: Conflict, details: Values = {}) {
    const error = filledIn(conflictSentence(conflict), details);
    super(occurrence('ConflictError', { ...conflict, error }));
  }
}

/** 416; `sizeBytes` goes into the Content-Range header. Not in the documented table. */
export class RangeNotSatisfiableError extends ProtocolError {
  readonly sizeBytes: number;

  constructor(sizeBytes: number) {
    super(occurrence('RangeNotSatisfiableError', undefined, { size_bytes: sizeBytes }));
    this.sizeBytes = sizeBytes;
  }
}

/** 417. Not in the documented table. */
export class ExpectationFailedError extends ProtocolError {
  constructor() {
    super(occurrence('ExpectationFailedError', undefined));
  }
}

/** 426. Not in the documented table. */
export class UpgradeRequiredError extends ProtocolError {
  constructor() {
    super(occurrence('UpgradeRequiredError', undefined));
  }
}

/** 500: the instance failed. `operation` says what failed, but never how. */
export class ServerError extends ProtocolError {
  constructor(operation: string) {
    super(occurrence('ServerError', { error: `${operation} failed` }));
  }
}

/** The name of an error with its message and `data`. */
interface Occurrence {
  readonly name: ErrorName;
  readonly message: string;
  readonly data: Values | undefined;
}

/** `details` are the parts of the message that are not in `data`. */
function occurrence<Name extends ErrorName>(
  name: Name,
  data: ErrorData<Name> & (Values | undefined),
  details: Values = {},
): Occurrence {
  const values: Values = { ...data, ...details };
  const { message: usual, messageByCode }: ErrorKind = ERRORS[name];
  const text = messageByCode?.[String(values['code'])] ?? usual;
  return { name, message: filledIn(text, values), data };
}

function filledIn(text: string, values: Values): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, key: string) => String(values[key]));
}

function isErrorName(name: string): name is ErrorName {
  return Object.hasOwn(ERRORS, name);
}
