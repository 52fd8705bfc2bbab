import { errorCode } from '../../lib/error-code.ts';

/**
 * The outcome of a request: S3 refused it and would refuse it again, or it never reached S3, or it is unknown whether
 * S3 has carried it out or still will.
 */
export type S3Outcome = 'refused' | 'unsent' | 'unknown';

/** A request to S3 that failed. The message contains neither keys nor signatures, so the owner may read it. */
export class S3Error extends Error {
  readonly outcome: S3Outcome;
  /** The code from S3 or the system; undefined if S3 was silent. */
  readonly code: string | undefined;

  constructor(message: string, outcome: S3Outcome, code?: string) {
    super(message);
    this.name = 'S3Error';
    this.outcome = outcome;
    this.code = code;
  }

  /** True if a retry may succeed. False if S3 was silent, because waiting a second time takes too long. */
  get hasBroken(): boolean {
    return this.outcome === 'unknown' && this.code !== undefined;
  }
}

/**
 * S3 refused the request, or could not carry it out now. Its error code is in the body of the response, which is XML.
 */
export function answeredError(what: string, status: number, text: string): S3Error {
  const [, code] = /<Code>(\w{1,64})<\/Code>/.exec(text) ?? [];
  const isPassing = status >= 500 || status === 429 || status === 408;
  const said = code === undefined ? `${status}` : `${status} ${code}`;
  return new S3Error(
    `S3 answered ${said} to ${what}`,
    isPassing ? 'unknown' : 'refused',
    code ?? `${status}`,
  );
}

/** S3 did not answer for this long. */
export function silentError(what: string, silenceMs: number): S3Error {
  return new S3Error(`S3 did not answer ${what} within ${silenceMs / 1_000} s`, 'unknown');
}

/** The connection could not be made, or broke. */
export function brokenError(what: string, error: unknown): S3Error {
  // The runtime's own error is not used, because it contains the signed URL.
  const code = errorCode(error) ?? (error instanceof Error ? error.name : 'unknown error');
  const outcome = code === 'ECONNREFUSED' ? 'unsent' : 'unknown';
  return new S3Error(`S3 cannot be reached for ${what}: ${code}`, outcome, code);
}

/** Codes for which a retry may succeed: those of the runtime for connections, and some of S3. */
const PASSING = /^(Connection|Failed|Unknown|ERR_|E[A-Z]+$)|Timeout|InternalError|SlowDown|Unavail/;

/** The form of S3's codes. Those of broken connections, such as for certificates, look different. */
const ANSWER = /^[A-Z][a-z]/;

/** Makes an error from that of the runtime's own S3 client, which reports only a code. */
export function clientError(what: string, error: unknown): S3Error {
  const code = errorCode(error);
  if (code === undefined || PASSING.test(code)) return brokenError(what, error);
  const message = ANSWER.test(code)
    ? `S3 answered ${code} to ${what}`
    : `S3 cannot be reached for ${what}: ${code}`;
  return new S3Error(message, 'refused', code);
}
