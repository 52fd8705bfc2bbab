import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ENVIRONMENT_OPTIONS, PORT_VARIABLES } from './environment-options.ts';
import type { Environment } from './environment.ts';
import { likelyWord } from './nearest.ts';

const KNOWN = Object.keys(ENVIRONMENT_OPTIONS);

/** Names that begin like this can be meant for nobody else. */
const OWN_PREFIX = /^(oprish|pandemonium|effis)_/i;

/** What Kubernetes sets for a service of such a name. */
const OF_KUBERNETES = /_SERVICE_(HOST|PORT)|_PORT_\d+_(TCP|UDP)/;

/** What a `.env` file may say to the runtime or to Compose, and what our own Compose files ask for. */
const OF_OTHERS = [
  /^(NODE|BUN|LC|COMPOSE)_|_PROXY$/i,
  /^(TZ|LANG|PATH|NO_COLOR|FORCE_COLOR|SITE|POSTGRES_PASSWORD|REDIS_PASSWORD)$/,
];

/**
 * One line for each variable that Hearth does not read although somebody seems to mean it to (CF13): in `env`, and among
 * them those of the `.env` file in `workingDir`, which the runtime has put there. No line has a value.
 */
export function unknownVariables(env: Environment, workingDir: string): readonly string[] {
  const names = Object.keys(env).filter((name) => !KNOWN.includes(name));
  const inFile = new Set(namesIn(join(workingDir, '.env')));
  return names.flatMap((name) => {
    if (inFile.has(name) && !OF_OTHERS.some((pattern) => pattern.test(name)))
      return [`.env: ${lineFor(name)}`];
    return seemsMeant(name) ? [lineFor(name)] : [];
  });
}

function seemsMeant(name: string): boolean {
  if (OF_KUBERNETES.test(name)) return false;
  const { rest, gateway, files } = PORT_VARIABLES;
  return OWN_PREFIX.test(name) || likelyWord(name, [rest, gateway, files]) !== undefined;
}

function lineFor(name: string): string {
  const likely = likelyWord(name, KNOWN);
  const hint =
    likely === undefined ? 'hearth start --help lists the known ones' : `did you mean ${likely}?`;
  return `${name}: unknown variable, ${hint}`;
}

/** What may be names in a `.env` file: lines of a value look like that too, but they are no variables. */
function namesIn(path: string): readonly string[] {
  try {
    // Reading a pipe, as some keepers of secrets make one, would take it from the runtime, or never end.
    if (!statSync(path).isFile()) return [];
    const found = readFileSync(path, 'utf8').matchAll(/^\s*(?:export\s+)?([\w.-]+)\s*[=:]/gm);
    return Array.from(found, ([, name = '']) => name);
  } catch {
    // There is none, or the runtime cannot read it either.
    return [];
  }
}
