import { ENVIRONMENT_OPTIONS } from './environment-options.ts';
import type { Environment } from './environment.ts';
import { likelyWord } from './nearest.ts';

/** Prefixes of variables that can only be meant for Hearth. */
const OWN_PREFIX = /^(oprish|pandemonium|effis|hearth)_/i;

const KNOWN = Object.keys(ENVIRONMENT_OPTIONS);

/** Variables that only commands such as `hearth chat` read. */
const OF_COMMANDS = ['ACCESS_CODE', 'USER', 'PASSWORD', 'CODE'].map((name) => `HEARTH_${name}`);

/** Returns one line for each variable that is meant for Hearth but that it does not read (CF13). No line contains a value. */
export function unknownVariables(env: Environment): readonly string[] {
  return Object.entries(env)
    .filter(([name]) => OWN_PREFIX.test(name) && ![...KNOWN, ...OF_COMMANDS].includes(name))
    .filter(([name, value = '']) => !isOfKubernetes(name, value))
    .map(([name]) => lineFor(name));
}

/** Reports whether Kubernetes sets such a variable for a service whose name begins like a prefix of ours. */
function isOfKubernetes(name: string, value: string): boolean {
  return /_SERVICE_(HOST|PORT)|_PORT_\d+_(TCP|UDP)/.test(name) || /^(tcp|udp):/.test(value);
}

function lineFor(name: string): string {
  const plain = name.replace(/^HEARTH_/i, '');
  const likely = KNOWN.includes(plain) ? plain : likelyWord(name, KNOWN);
  const hint =
    likely === undefined ? 'hearth start --help lists the known ones' : `did you mean ${likely}?`;
  return `${name}: unknown variable, ${hint}`;
}
