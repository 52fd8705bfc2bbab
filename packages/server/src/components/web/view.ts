import type { OwnServices } from '@hearth/protocol';
import { LRUCache } from 'lru-cache';
import {
  isEverywhere,
  webAddress,
  addressesBelow,
  ANY_HOST,
  componentAddresses,
  fileAddresses,
  portAddresses,
  servicePaths,
} from '../../config/component-addresses.ts';
import type { Config } from '../../config/config.ts';
import type { Addresses } from '../../context.ts';

export type Service = keyof Addresses;

const SERVICES: readonly Service[] = ['rest', 'gateway', 'files'];

/**
 * The components that the page finds at its own origin: those that this process runs, unless their own `url` is
 * configured.
 */
export function ownServices({ settings, deployment }: Config): readonly Service[] {
  return SERVICES.filter(
    (name) => deployment.components.includes(name) && settings[name].url === undefined,
  );
}

/** Returns what the page is given about them if it was opened under the name `host`. */
export function describeOwnServices(config: Config, host: string | undefined): OwnServices {
  const { settings } = config;
  const paths = servicePaths(settings);
  const own = ownServices(config);
  const files = [undefined, host].map((name) => portAddresses(config, name).files);
  return {
    paths: Object.fromEntries(own.map((name) => [name, paths[name].slice(1)])),
    has_public_url: settings.publicUrl !== undefined,
    file_addresses: own.includes('files') ? [...new Set(files)] : [],
    listed_addresses: listedAddresses(config, host),
  };
}

/** The addresses by which messages list their files, under the names that the page may know them by. */
function listedAddresses(config: Config, host: string | undefined): string[] {
  const hosts = [undefined, host].map(
    (name) => new URL(portAddresses(config, name).files).hostname,
  );
  const named = fileAddresses(config).flatMap((address) =>
    hosts.map((name) => address.replace(ANY_HOST, () => name)),
  );
  return [...new Set(named)];
}

/** Returns where the components are if the web client is at `origin` and no public address is configured. */
export function addressesAt(config: Config, origin: string, host?: string): Addresses {
  const { settings } = config;
  const known = componentAddresses(config, host);
  if (settings.publicUrl !== undefined) return known;
  const below = addressesBelow(origin, settings);
  const own = ownServices(config).map((name) => [name, below[name]] as const);
  return { ...known, ...Object.fromEntries(own) };
}

/** The things that the web client may know and do, by the address at which it was opened. */
export interface View {
  readonly addresses: Addresses;
  readonly own: OwnServices;
  /** The Content-Security-Policy of the page and of its scripts. */
  readonly policy: string;
}

/** Returns how an instance is seen from a Host header, or from its usual address if there is none. */
export type ViewAt = (host: string | null) => View;

/** The number of hosts whose views are kept: people at home use an address and a name or two. */
const MOST_HOSTS = 8;

const LONGEST_HOST = 261;
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Returns how an instance is seen. The components that are found at the page's own origin have the address by which it
 * was opened, unless there is a public one. If the instance listens on all addresses, the other components have the
 * name by which the page was opened, unless their addresses are configured: another machine could not use an address
 * that only this machine has. The views of a few hosts stay the same objects.
 */
export function viewsOf(config: Config, scripts: PageScripts): ViewAt {
  const { deployment, settings } = config;
  const { publicUrl } = settings;
  const own = ownServices(config);
  const scriptPolicy = scriptSources(scripts, publicUrl);
  const viewAt = (origin: string, name?: string): View => {
    const addresses = addressesAt(config, origin, name);
    const policy = `${contentSecurityPolicy(addresses, own)}, ${scriptPolicy}`;
    return { addresses, own: describeOwnServices(config, name), policy };
  };
  const usual = viewAt(webAddress(deployment, deployment.webPort));
  const hasNames = isEverywhere(deployment.host);
  const hasOrigins = own.length > 0 && publicUrl === undefined;
  if (!hasNames && !hasOrigins) return () => usual;
  const known = new LRUCache<string, View>({
    max: MOST_HOSTS,
    memoMethod: (key) => viewAt(`http://${key}`, hasNames ? hostIn(key)?.hostname : undefined),
  });
  return (header) => {
    const found = hostIn(header);
    return found === undefined ? usual : known.memo(hasOrigins ? found.host : found.hostname);
  };
}

/**
 * The name or address in a Host header, without and with its port, or undefined if there is none that a browser would
 * have sent.
 */
export function hostIn(host: string | null): Pick<URL, 'host' | 'hostname'> | undefined {
  if (host === null || host.length > LONGEST_HOST || !HOST.test(host)) return undefined;
  return URL.parse(`http://${host}`) ?? undefined;
}

/**
 * Returns what the page may load and reach: itself, and the three components, of which some may be at its own origin.
 */
export function contentSecurityPolicy(addresses: Addresses, own: readonly Service[]): string {
  const sourceFor = (name: Service) => (own.includes(name) ? "'self'" : sourceOf(addresses[name]));
  const stored = sourceFor('files');
  const pictures = new Set(["'self'", 'blob:', 'data:', stored]);
  const reachable = new Set(["'self'", sourceFor('rest'), sourceFor('gateway'), stored]);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${Array.from(pictures).join(' ')}`,
    `media-src blob: ${stored}`,
    `connect-src ${Array.from(reachable).join(' ')}`,
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types dompurify hearth',
  ].join('; ');
}

/** The scripts of the page, as paths from its own address. */
export interface PageScripts {
  readonly scripts: readonly string[];
  /** Scripts that run as workers. */
  readonly workers: readonly string[];
}

/**
 * A second policy, which allows the page its own scripts by their paths: uploads have the same origin, which is all that
 * the first policy can name. It names no host, because the server cannot know by which one a proxy is reached.
 */
export function scriptSources(
  { scripts, workers }: PageScripts,
  publicUrl: string | undefined,
): string {
  const base = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
  const bases = new Set(['', base]);
  const sources = (paths: readonly string[]) => {
    const allowed = Array.from(bases).flatMap((each) =>
      paths.map((path) => sourcePath(each + path)),
    );
    return allowed.length === 0 ? "'none'" : allowed.join(' ');
  };
  return `script-src ${sources(scripts)}; worker-src ${sources(workers)}`;
}

// A source may contain neither of the characters that separate directives and policies. `http` stands for `https` too;
// WebKit ignores a source that begins with `*:`.
function sourcePath(path: string): string {
  return `http://*:*${path.replaceAll(/[;,\s]/g, encodeURIComponent)}`;
}

// A policy cannot name IPv6 addresses, nor labels of unusual characters, which include the underscore. The labels after them and
// the port still narrow it down.
function sourceOf(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^.*[^a-z0-9.-][^.]*/, '*');
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}
