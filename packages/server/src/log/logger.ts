import { pino, type Logger } from 'pino';
import type { LogLevel } from '../config/environment-options.ts';

const STDERR = 2;

/** The instance's log on standard error: lines for people on a terminal, JSON otherwise. */
export async function createLogger(level: LogLevel): Promise<Logger> {
  const options = { level, base: null };
  if (!process.stderr.isTTY) return pino(options, pino.destination({ fd: STDERR, sync: true }));
  const { default: pretty } = await import('pino-pretty');
  return pino(options, pretty({ destination: STDERR, sync: true, ignore: 'pid,hostname' }));
}
