import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ENVIRONMENT_OPTIONS, PORT_VARIABLES } from './environment-options.ts';
import type { Environment } from './environment.ts';
import { isOneSlipFrom, isSwapOf, likelyWord } from './nearest.ts';

const KNOWN = Object.keys(ENVIRONMENT_OPTIONS);

/** Variables with such a prefix can only be meant for Hearth. */
const OWN_PREFIX = /^(oprish|pandemonium|effis)_/i;

/** Variables that no other program is likely to have. */
const OWN: readonly string[] = [
  'INSTANCE_CONF',
  'TRUSTED_PROXIES',
  'TOKEN_KEY_FILE',
  'BLOBS_URL',
  'SMTP_URL',
  'MAIL_FROM',
  'CONNECT_TIMEOUT',
] satisfies readonly (keyof typeof ENVIRONMENT_OPTIONS)[];

/** A slip in a shorter name of many programs, such as HOST, may be another name. */
const LONG_NAME = 8;

/** Variables that Kubernetes sets for a service with such a name. */
const OF_KUBERNETES = /_SERVICE_(HOST|PORT)|_PORT_\d+_(TCP|UDP)/;

/** Keys of a `.env` file that are for the runtime, for Compose, for our own Compose files or for commands such as `hearth chat`. */
const OF_OTHERS = [
  /^(NODE|BUN|LC|COMPOSE)_|_PROXY$/i,
  /^(TZ|LANG|PATH|NO_COLOR|FORCE_COLOR|SITE|HEARTH_(ACCESS_CODE|USER|PASSWORD|CODE)|POSTGRES_PASSWORD|REDIS_PASSWORD)$/,
];

/**
 * Returns one line for each variable that somebody seems to mean for Hearth but that it does not read (CF13). That
 * covers `env`, and in it the keys of the `.env` file in `workingDir`, which the runtime has added. No line contains a
 * value.
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
  return (
    OWN_PREFIX.test(name) ||
    likelyWord(name, [rest, gateway, files]) !== undefined ||
    slipOf(name) !== undefined
  );
}

/** The variable that this is a slip of; undefined if it may well be a variable of another program. */
function slipOf(name: string): string | undefined {
  const plain = name.replace(/^HEARTH_/i, '');
  if (plain !== name && KNOWN.includes(plain)) return plain;
  return (
    OWN.find((own) => isOneSlipFrom(name, own) || wordsOf(name) === wordsOf(own)) ??
    KNOWN.find((known) => known.length >= LONG_NAME && isSwapOf(name, known))
  );
}

/** The words of a name, in any order and case. */
function wordsOf(name: string): string {
  return name.toUpperCase().split(/[_.-]/).toSorted().join('_');
}

function lineFor(name: string): string {
  const likely = slipOf(name) ?? likelyWord(name, KNOWN);
  const hint =
    likely === undefined ? 'hearth start --help lists the known ones' : `did you mean ${likely}?`;
  return `${name}: unknown variable, ${hint}`;
}

/** Possible names in a `.env` file. Lines of a value can look the same, but they are not in the environment. */
function namesIn(path: string): readonly string[] {
  try {
    // Reading a pipe, which some secret managers create, would take its content from the runtime, or never end.
    if (!statSync(path).isFile()) return [];
    const found = readFileSync(path, 'utf8').matchAll(/^\s*(?:export\s+)?([\w.-]+)\s*[=:]/gm);
    return Array.from(found, ([, name = '']) => name);
  } catch {
    // The file is missing, or the runtime cannot read it either.
    return [];
  }
}
