import { fstatSync } from 'node:fs';
import type { LogLevel } from '../config/environment-options.ts';
import { writeWhole } from '../write-whole.ts';
import { errorFields } from './error-fields.ts';

/** What an entry tells beside its message; a fault goes under `err`. */
export type LogFields = Readonly<Record<string, unknown>>;

type Log = (fields: LogFields, message: string) => void;

/** The instance's log. */
export interface Logger {
  readonly debug: Log;
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
}

const STDERR = 2;

/** How grave entries are, in the numbers that readers of logs know. */
export const LEVELS: Readonly<Record<LogLevel, number>> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: Infinity,
};

/** The instance's log on standard error: lines for people on a terminal, JSON otherwise. */
export async function createLogger(level: LogLevel): Promise<Logger> {
  if (!(await isTerminal(STDERR))) return jsonLogger(level, write);
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({ ignore: 'pid,hostname' });
  return jsonLogger(level, (line) => write(pretty(line)));
}

/** A log that hands entries of `level` and graver ones to `write`, a line of JSON each. */
export function jsonLogger(level: LogLevel, write: (line: string) => void): Logger {
  const at = (own: keyof Logger): Log => {
    if (LEVELS[own] < LEVELS[level]) return () => {};
    return (fields, msg) => {
      const told = 'err' in fields ? { ...fields, err: errorFields(fields['err']) } : fields;
      write(`${JSON.stringify({ level: LEVELS[own], time: Date.now(), ...told, msg })}\n`);
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

// A log that nobody can be told of must not end what it tells of.
function write(line: string): void {
  try {
    writeWhole(STDERR, line);
  } catch {}
}

// Asked of the runtime only where it can be: its module takes as long to load as the runtime to start.
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
