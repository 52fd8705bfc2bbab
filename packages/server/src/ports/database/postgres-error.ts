import { errorCode, errorMessage } from '../../lib/error-code.ts';
import { UNSUPPORTED_SERVER } from './unsupported-server-error.ts';

/** The beginnings of PostgreSQL's codes for errors that last until an owner fixes the cause. */
const LASTING_CODES = [
  '0A', // unsupported features
  '22', // invalid values
  '28', // user and password
  '3D', // no such database
  '3F', // no such schema
  '42', // missing rights or tables
];

/** Errors of certificates, as the runtime names them. */
const LASTING_TLS = /CERT|ERR_TLS|ERR_SSL|VERIFY/;

/** The messages of pg's errors that have no code. */
const LASTING_MESSAGES = [/^SASL/, /does not support SSL/];

/** The error if no answer came in time. */
export function noAnswerError(): Error {
  return Object.assign(new Error('the database did not answer in time'), { code: 'ETIMEDOUT' });
}

export function isNoAnswer(error: unknown): boolean {
  return error instanceof Error && error.message === noAnswerError().message;
}

/** Returns whether PostgreSQL refuses for a reason that waiting cannot fix, such as a wrong password. */
export function isLasting(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  return (
    code === UNSUPPORTED_SERVER ||
    LASTING_CODES.some((beginning) => code.length === 5 && code.startsWith(beginning)) ||
    LASTING_TLS.test(code) ||
    LASTING_MESSAGES.some((message) => message.test(errorMessage(error)))
  );
}
