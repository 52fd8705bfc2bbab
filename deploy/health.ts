/**
 * Checks the health of Hearth in this container: `bun health.ts` ends with exit code 0 or 1. It runs in the image, which
 * contains no other sources, so it imports nothing.
 *
 * A start opens the ports of all its components or fails, so the open ports show which components run. Any answer is a sign
 * of life. A preflight counts against no limit and is not logged. The check does not include databases, because a restart
 * of Hearth does not bring a database back.
 */

/** Less than the timeout of the image's health check. */
const ANSWER_TIMEOUT_MS = 3_000;

/** The finding of the check at a port. */
export type State = 'answers' | 'is not here' | 'is silent';

const ports = [
  process.env['OPRISH_PORT'] || '7159',
  process.env['PANDEMONIUM_PORT'] || '7160',
  process.env['EFFIS_PORT'] || '7161',
  process.env['WEB_PORT'] || '7162',
].filter((port) => port !== 'off');
const states = await Promise.all(ports.map(stateOf));
process.exitCode = states.includes('answers') && !states.includes('is silent') ? 0 : 1;
process.stdout.write(`${ports.map((port, index) => `${port} ${states[index]}`).join(', ')}\n`);

async function stateOf(port: string): Promise<State> {
  try {
    await fetch(`http://${ownHost()}:${port}/`, {
      method: 'OPTIONS',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    return 'answers';
  } catch (error) {
    const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
    return isRefused ? 'is not here' : 'is silent';
  }
}

/** The address to connect to, if `HOST` means every address. */
function ownHost(): string {
  const host = process.env['HOST'] || '127.0.0.1';
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
