import { join } from 'node:path';
import { run } from '@hearth/testing/programs/runtimes';
import { tempFolder } from '@hearth/testing/temp-folder';
import { ROOT } from './built-image.ts';

/** The variables of the Caddyfile. */
export type Site = Readonly<Record<'SITE' | 'REST' | 'GATEWAY' | 'FILES' | 'WEB', string>>;

/** The path of Caddy's program, or undefined if it is not installed. In CI it has to be installed. */
export function caddyProgram(): string | undefined {
  const path = Bun.which('caddy') ?? undefined;
  if (path === undefined && process.env['CI'] === 'true') throw new Error('caddy is not installed');
  return path;
}

/** The repository's Caddyfile. */
export const CADDYFILE = join(ROOT, 'deploy/Caddyfile');

/** Runs Caddy to its end with these arguments and variables. */
export async function askCaddy(
  program: string,
  words: readonly string[],
  site: Partial<Site> = {},
) {
  await using home = await tempFolder();
  return run([program, ...words], { env: { ...homeIn(home.path), ...site } });
}

/**
 * Starts Caddy with a Caddyfile, by default the repository's, on 127.0.0.1, and resolves when it listens. Disposal kills
 * it.
 */
export async function startCaddy(
  program: string,
  site: Pick<Site, 'SITE'> & Partial<Site>,
  caddyfile = CADDYFILE,
): Promise<AsyncDisposable> {
  await using resources = new AsyncDisposableStack();
  const home = resources.use(await tempFolder());
  const child = Bun.spawn([program, 'run', '--config', caddyfile, '--adapter', 'caddyfile'], {
    env: { ...homeIn(home.path), ...site },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  resources.defer(async () => {
    child.kill('SIGKILL');
    await child.exited;
  });
  const said = new Response(child.stderr).text();
  const ended = child.exited.then(async (code) => {
    throw new Error(`caddy ended with exit code ${code}: ${await said}`);
  });
  // After the start, an exit is expected: disposal kills the process.
  ended.catch(() => undefined);
  await Promise.race([ended, answering(site.SITE)]);
  return resources.move();
}

function homeIn(folder: string): Readonly<Record<string, string>> {
  return { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
}

async function answering(url: string): Promise<void> {
  for (;;) {
    try {
      await (await fetch(url, { method: 'OPTIONS' })).bytes();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
