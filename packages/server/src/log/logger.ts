import { fstatSync } from 'node:fs';
import type { LogLevel } from '../config/environment-options.ts';
import { writeWhole } from '../lib/write-whole.ts';
import { errorFields } from './error-fields.ts';

/** Fields that an entry reports besides its message; a fault goes under `err`. */
export type LogFields = Readonly<Record<string, unknown>>;

type Log = (fields: LogFields, message: string) => void;

export interface Logger {
  readonly debug: Log;
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
}

const STDERR = 2;

/** The levels of entries, in the numbers that log readers use. */
export const LEVELS: Readonly<Record<LogLevel, number>> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: Infinity,
};

/** The instance's log on standard error: plain lines on a terminal, JSON otherwise. */
export async function createLogger(level: LogLevel): Promise<Logger> {
  if (!(await isTerminal(STDERR))) return jsonLogger(level, write);
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({ ignore: 'pid,hostname' });
  return jsonLogger(level, (line) => write(pretty(line)));
}

/** A log that passes entries of `level` and above to `write`, one line of JSON each. */
export function jsonLogger(level: LogLevel, write: (line: string) => void): Logger {
  const at = (own: keyof Logger): Log => {
    if (LEVELS[own] < LEVELS[level]) return () => {};
    return (fields, msg) => {
      const written = 'err' in fields ? { ...fields, err: errorFields(fields['err']) } : fields;
      write(`${JSON.stringify({ level: LEVELS[own], time: Date.now(), ...written, msg })}\n`);
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

// A log that cannot be written must not end the process that it reports on.
function write(line: string): void {
  try {
    writeWhole(STDERR, line);
  } catch {}
}

// Read from the runtime only if possible: its module takes as long to load as the runtime to start.
async function isTerminal(descriptor: number): Promise<boolean> {
  if (!isCharacterDevice(descriptor)) return false;
  const { isatty } = await import('node:tty');
  return isatty(descriptor);
}

function isCharacterDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}
