import type { InstanceInfo } from '@hearth/protocol';
import { Api } from './api.ts';
import type { SecretScope } from './credentials.ts';
import { ApiError, NetworkError, UnexpectedAnswerError } from './errors.ts';
import type { Http } from './http.ts';
import { describeInstance } from './instance-info.ts';
import { addressesOf, baseUrl, isLoopback, possibleUrls } from './urls.ts';

/** An instance at an address that somebody gave. */
export interface FoundInstance {
  /** Its description, with addresses that can be reached from here. */
  readonly info: InstanceInfo;
  /** The address of its web client; undefined if that is not known. */
  readonly webUrl: string | undefined;
  readonly secrets: SecretScope;
}

export interface FindOptions {
  /** True to try http if an address without a scheme cannot be reached over https. */
  readonly mayUseHttp: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The path of the REST service if it shares its address with something else. */
const API_PATH = '/api';

/**
 * Finds the instance that `url` is an address of: of its REST service, its web client, or a page of that. Throws the error
 * of the first address that was tried, and TypeError if `url` is not an address.
 */
export async function findInstance(
  http: Http,
  url: string | URL,
  { mayUseHttp, signal }: FindOptions,
): Promise<FoundInstance> {
  const bases = possibleUrls(url);
  const last = mayUseHttp ? bases.length - 1 : 0;
  for (const base of bases.slice(0, last)) {
    try {
      return { ...(await findAt(http, base, signal)), secrets: 'secure' };
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
    }
  }
  const base = bases[last] ?? baseUrl(url);
  // A person who blocks the https address must not learn a password in this way.
  const plain = last === 0 ? 'any' : 'none';
  const secrets = base.startsWith('https:') ? 'secure' : plain;
  return { ...(await findAt(http, base, signal)), secrets };
}

async function findAt(
  http: Http,
  base: string,
  signal: AbortSignal | undefined,
): Promise<Omit<FoundInstance, 'secrets'>> {
  const { origin } = new URL(base);
  let failure: unknown;
  for (const page of new Set([base, origin])) {
    for (const at of [page, `${page}${API_PATH}`]) {
      try {
        const info = reachableFrom(at, await describeInstance(new Api(http, at), { signal }));
        return { info, webUrl: at === page ? webUrlOf(info, at) : page };
      } catch (error) {
        if (!isElsewhere(error)) throw error;
        failure ??= error;
      }
    }
  }
  throw failure;
}

/** Returns whether something answered that is not the REST service. */
function isElsewhere(error: unknown): boolean {
  if (error instanceof UnexpectedAnswerError) return error.status !== undefined;
  return error instanceof ApiError && error.status < 500;
}

/**
 * The description, found at `url`, with other hosts in place of those that only the instance's own machine can reach: many
 * instances are published with the addresses of the example configuration. If `url` is an https address, what is sent to
 * the instance must not leave it for http: throws UnexpectedAnswerError if no https address is known.
 */
function reachableFrom(url: string, info: InstanceInfo): InstanceInfo {
  const found = new URL(url);
  if (isLoopback(found.hostname)) return info;
  const { rest, gateway, files } = addressesOf(info);
  const reachable = (published: string, normalised: string) => {
    const address = new URL(normalised);
    const isLocal = isLoopback(address.hostname);
    if (found.protocol === 'https:' && isPlain(address)) {
      const secured = securedAddress(address, { found, rest: new URL(rest) });
      if (secured !== undefined) return secured;
      if (isLocal) throw unsafeAddress(url, published);
    }
    if (!isLocal) return published;
    address.hostname = found.hostname;
    return withoutSlash(address);
  };
  return {
    ...info,
    oprish_url: reachable(info.oprish_url, rest),
    pandemonium_url: reachable(info.pandemonium_url, gateway),
    effis_url: reachable(info.effis_url, files),
  };
}

/**
 * The https or wss address of a service that was published with `address`, if the description came from `found` through a
 * proxy that adds TLS. `rest` is the published address of the REST service. Undefined if it is not known.
 */
function securedAddress(
  address: URL,
  { found, rest }: { readonly found: URL; readonly rest: URL },
): string | undefined {
  if (!isLoopback(address.hostname) && address.host !== found.host) return undefined;
  if (address.href === rest.href) return withoutSlash(found);
  if (address.host !== rest.host || rest.pathname !== found.pathname) return undefined;
  const secured = new URL(address);
  secured.protocol = address.protocol === 'ws:' ? 'wss:' : 'https:';
  secured.hostname = found.hostname;
  secured.port = found.port;
  return withoutSlash(secured);
}

function isPlain({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'ws:';
}

function withoutSlash({ href }: URL): string {
  return href.replace(/\/$/, '');
}

function unsafeAddress(url: string, published: string): UnexpectedAnswerError {
  return new UnexpectedAnswerError(
    `The instance at ${url} gives ${published} as an address of its own, which only its own machine reaches: set public_url in its instance file`,
  );
}

/** The address of the web client that described its instance at `url`: its services are below its own address. */
function webUrlOf(info: InstanceInfo, url: string): string | undefined {
  const { rest } = addressesOf(info);
  const [page, service] = [new URL(url), new URL(rest)];
  if (rest === url || page.origin !== service.origin) return undefined;
  const parts = page.pathname.split('/');
  const others = service.pathname.split('/');
  const shared = others.findIndex((part, at) => part !== parts[at]);
  const webUrl = baseUrl(`${page.origin}${others.slice(0, shared).join('/')}`);
  return shared === -1 || webUrl === rest ? undefined : webUrl;
}
