import { errorCode, errorMessage } from '../../lib/error-code.ts';
import { UNFIT } from './unfit-error.ts';

/** The beginnings of PostgreSQL's codes for what stays as it is until an owner mends it. */
const LASTING_CODES = [
  '0A', // what it does not support
  '22', // values
  '28', // user and password
  '3D', // no such database
  '3F', // no such schema
  '42', // rights, tables
];

/** Errors of certificates, as the runtime names them. */
const LASTING_TLS = /CERT|ERR_TLS|ERR_SSL|VERIFY/;

/** What pg says without a code. */
const LASTING_MESSAGES = [/^SASL/, /does not support SSL/];

/** What is told where no answer came in time. */
export function noAnswerError(): Error {
  return Object.assign(new Error('the database did not answer in time'), { code: 'ETIMEDOUT' });
}

export function isNoAnswer(error: unknown): boolean {
  return error instanceof Error && error.message === noAnswerError().message;
}

/** Whether PostgreSQL refuses for a reason that waiting does not mend, such as a wrong password. */
export function isLasting(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  return (
    code === UNFIT ||
    LASTING_CODES.some((beginning) => code.length === 5 && code.startsWith(beginning)) ||
    LASTING_TLS.test(code) ||
    LASTING_MESSAGES.some((message) => message.test(errorMessage(error)))
  );
}
