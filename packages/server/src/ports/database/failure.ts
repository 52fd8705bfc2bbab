import { ProtocolError } from '@hearth/protocol';
import { errorCode } from '../../lib/error-code.ts';

/** PostgreSQL's codes if a lock or a statement takes too long: others are in the way. */
const LATE_CODES = ['55P03', '57014'];

/** The beginnings of PostgreSQL's codes for errors that have nothing to do with what was asked: no connection, no place, a stop. */
const AWAY_CODES = ['08', '53', '57', '58', 'XX'];

/** The system's codes for the same, such as ETIMEDOUT. */
const AWAY_SYSTEM = /^E[A-Z]/;

/** SQLite's codes for the same. */
const AWAY_SQLITE = /^SQLITE_(BUSY|FULL|IOERR|READONLY|NOMEM|CANTOPEN|CORRUPT)/;

/**
 * Why a transaction failed: something in it was wrong (`work`), others were in the way for too long (`late`), or the database is
 * away, also if it is not known whether it has committed (`away`).
 */
export function failureOf(error: unknown): 'work' | 'late' | 'away' {
  if (error instanceof ProtocolError) return 'work';
  const code = errorCode(error);
  if (code === undefined) return 'work';
  if (LATE_CODES.includes(code)) return 'late';
  if (code.startsWith('SQLITE_')) return AWAY_SQLITE.test(code) ? 'away' : 'work';
  const isAway =
    AWAY_SYSTEM.test(code) || AWAY_CODES.some((beginning) => code.startsWith(beginning));
  return isAway ? 'away' : 'work';
}
