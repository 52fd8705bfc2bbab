/**
 * Tells whether the Hearth of this container is well: `bun health.ts`, exit code 0 or 1. It runs in the image, where
 * there is nothing else, so it stands alone.
 *
 * Which components the container runs is seen by their ports: a start opens all of them or fails. Any answer is a sign of
 * life, and a preflight counts against no limit and is logged nowhere. What Hearth needs of others is not asked for: a
 * restart does not bring a database back.
 */

/** Less than what the image gives the whole check. */
const ANSWER_TIMEOUT_MS = 3_000;

/** How a component met the question. */
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

/** Listening on every address is not an address to connect to. */
function ownHost(): string {
  const host = process.env['HOST'] || '127.0.0.1';
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
