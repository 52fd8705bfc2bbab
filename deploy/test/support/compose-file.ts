import { readFileSync } from 'node:fs';

/** A condition that has to hold before a service starts. */
export interface Dependency {
  readonly condition: string;
}

/** The parts of a service that tests use. */
export interface Service {
  readonly image: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, Dependency>>;
  readonly networks?: readonly string[] | Readonly<Record<string, { ipv4_address?: string }>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly (string | { readonly source: string; readonly target: string })[];
  readonly profiles?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly restart?: string;
  readonly stop_grace_period?: string;
}

/** The parts of a network that tests use. */
export interface Network {
  readonly internal?: boolean;
  readonly ipam?: { readonly config: readonly { readonly subnet: string }[] };
}

/** The parts of a Compose file that tests use, with its variables filled in. */
export interface ComposeFile {
  readonly name: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly networks?: Readonly<Record<string, Network>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
}

/** Reads a Compose file and fills in `variables` as Compose does. Throws if a required variable is missing. */
export function readComposeFile(
  path: string,
  variables: Readonly<Record<string, string>>,
): ComposeFile {
  const parsed: unknown = Bun.YAML.parse(readFileSync(path, 'utf8'));
  const filled = fill(parsed, variables);
  if (!isComposeFile(filled)) throw new Error(`${path} is not a Compose file`);
  return filled;
}

/** The names of the networks that a service is in. */
export function networksOf({ networks = [] }: Service): readonly string[] {
  return isList(networks) ? networks : Object.keys(networks);
}

function isList<Item>(value: readonly Item[] | object): value is readonly Item[] {
  return Array.isArray(value);
}

function isComposeFile(value: unknown): value is ComposeFile {
  return typeof value === 'object' && value !== null && 'services' in value && 'name' in value;
}

function fill(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return fillText(value, variables);
  if (Array.isArray(value)) return value.map((item) => fill(item, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fill(item, variables)]),
  );
}

// ${NAME}, ${NAME:-default}, ${NAME:?message} and $$. Our files use a dollar for nothing else.
function fillText(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(
    /\$(?:(\$)|\{([A-Z_]+)(?::([-?])([^}]*))?\}|)/g,
    (whole, dollar: string | undefined, name = '', kind = '', rest = '') => {
      if (dollar !== undefined) return '$';
      if (name === '') throw new Error(`cannot be read: ${whole} in ${text}`);
      const value = variables[name] ?? '';
      if (value !== '') return value;
      if (kind === '?') throw new Error(`required variable ${name} is missing a value: ${rest}`);
      return kind === '-' ? rest : '';
    },
  );
}
