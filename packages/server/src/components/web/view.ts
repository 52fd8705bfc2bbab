import { componentAddresses, isEverywhere } from '../../config/component-addresses.ts';
import type { Config } from '../../config/config.ts';
import type { Addresses } from '../../context.ts';

/** What the web client may know and do, by the address at which it was opened. */
export interface View {
  /** The addresses of the components. */
  readonly addresses: Addresses;
  /** The Content-Security-Policy of the page and of its scripts. */
  readonly policy: string;
}

/** How an instance is seen from a Host header, or from its usual address if there is none. */
export type ViewAt = (host: string | null) => View;

const LONGEST_HOST = 261;
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * How an instance is seen. If it listens on all addresses and its owner did not configure the addresses of its
 * components, they have the name by which its page was opened: another machine could not use an address that only this
 * machine has. The latest view stays the same object as long as no other is asked for.
 */
export function viewsOf(config: Config): ViewAt {
  const usual = viewAt(componentAddresses(config));
  if (!isEverywhere(config.deployment.host)) return () => usual;
  let latest = { name: '', view: usual };
  return (host) => {
    const name = hostName(host);
    if (name === undefined) return usual;
    if (name !== latest.name) latest = { name, view: viewAt(componentAddresses(config, name)) };
    return latest.view;
  };
}

function viewAt(addresses: Addresses): View {
  return { addresses, policy: contentSecurityPolicy(addresses) };
}

/** The name or address in a Host header, or undefined if there is none that a browser would have sent. */
export function hostName(host: string | null): string | undefined {
  if (host === null || host.length > LONGEST_HOST || !HOST.test(host)) return undefined;
  return URL.parse(`http://${host}`)?.hostname;
}

/** What the page may load, run and reach: itself, and the three components. */
export function contentSecurityPolicy({ rest, gateway, files }: Addresses): string {
  const stored = sourceOf(files);
  const reachable = new Set([sourceOf(rest), sourceOf(gateway), stored]);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' blob: data: ${stored}`,
    `media-src blob: ${stored}`,
    `connect-src 'self' ${Array.from(reachable).join(' ')}`,
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

// A policy cannot name IPv6 addresses, nor hosts of unusual characters; the port still narrows it down.
function sourceOf(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  const host = /^[a-z0-9._-]+$/.test(hostname) ? hostname : '*';
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}
