import { errorCode } from '../../lib/error-code.ts';

/**
 * What became of a request: S3 refused it and would refuse it again, it never reached S3, or nobody knows whether S3
 * has done it, or will.
 */
export type S3Outcome = 'refused' | 'unsent' | 'unknown';

/** S3 did not do what it was asked for. The owner may read what it says: it has neither keys nor signatures. */
export class S3Error extends Error {
  readonly outcome: S3Outcome;
  /** What S3 or the system called it; undefined where nothing was heard. */
  readonly code: string | undefined;

  constructor(message: string, outcome: S3Outcome, code?: string) {
    super(message);
    this.name = 'S3Error';
    this.outcome = outcome;
    this.code = code;
  }

  /** Whether something went wrong that may be over by now; not where S3 was silent, for which nobody waits twice. */
  get hasBroken(): boolean {
    return this.outcome === 'unknown' && this.code !== undefined;
  }
}

/** S3 answered that it would not, or could not now. Its own code is in the text of the answer, which is XML. */
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

/** Nothing was heard of S3 for so long. */
export function silentError(what: string, silenceMs: number): S3Error {
  return new S3Error(`S3 did not answer to ${what} within ${silenceMs / 1_000} s`, 'unknown');
}

/** The connection could not be made, or broke. */
export function brokenError(what: string, error: unknown): S3Error {
  // Not the runtime's own error, which tells the URL: that is signed.
  const code = errorCode(error) ?? (error instanceof Error ? error.name : 'unknown error');
  const outcome = code === 'ECONNREFUSED' ? 'unsent' : 'unknown';
  return new S3Error(`S3 cannot be reached for ${what}: ${code}`, outcome, code);
}

/** The codes of the runtime for what happens to connections, and of S3 for what passes; its other ones stay. */
const PASSING = /^(Connection|Failed|Unknown|ERR_|E[A-Z]+$)|Timeout|InternalError|SlowDown|Unavail/;

/** How S3 writes its codes; those of connections that stay broken are written otherwise, such as of certificates. */
const ANSWER = /^[A-Z][a-z]/;

/** Likewise from the runtime's own client of S3, which tells a code only. */
export function clientError(what: string, error: unknown): S3Error {
  const code = errorCode(error);
  if (code === undefined || PASSING.test(code)) return brokenError(what, error);
  const told = ANSWER.test(code)
    ? `S3 answered ${code} to ${what}`
    : `S3 cannot be reached for ${what}: ${code}`;
  return new S3Error(told, 'refused', code);
}
