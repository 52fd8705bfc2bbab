import { systemClock, type SdkClock } from './clock.ts';
import type { SecretScope } from './credentials.ts';
import { Emitter } from './emitter.ts';
import { HearthError } from './errors.ts';
import { Http, type HttpOptions } from './http.ts';
import { Limits } from './limits/limits.ts';
import { TokenSource } from './token-source.ts';
import { memoryTokens } from './tokens.ts';
import type { ClientEvents, ClientOptions } from './types.ts';
import { fetchUpload } from './uploads/fetch-upload.ts';
import type { UploadTransport } from './uploads/transport.ts';
import { xhrUpload } from './uploads/xhr-upload.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MOST_WAITING = 100;
const DEFAULT_LONGEST_BUSY_WAIT_MS = 30_000;

/**
 * The things that the parts of a client share: options with their defaults, requests and limits, events, and one
 * lifetime.
 */
export interface Session {
  readonly options: ClientOptions;
  readonly clock: SdkClock;
  readonly random: () => number;
  readonly timeoutMs: number;
  /** The options with which requests are made. */
  readonly requests: Omit<HttpOptions, 'credentials'>;
  /** The token of the person who is signed in. */
  readonly tokens: TokenSource;
  /** For the requests that find out what the instance is. They carry neither a token nor an access code, so they succeed after a session has ended. */
  readonly anonymousHttp: Http;
  readonly limits: Limits;
  readonly upload: UploadTransport;
  readonly events: Emitter<ClientEvents>;
  /** Aborted at the end; its reason is what to reject with. */
  readonly life: AbortController;
  /** The addresses to which secrets may be sent; undefined if that depends on the address of the REST service alone. */
  readonly secrets?: SecretScope | undefined;
}

/** Sets up everything that needs no address. */
export function createSession(options: ClientOptions): Session {
  const { clock = systemClock, random = Math.random } = options;
  const { requestTimeoutMs: timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const fetch = options.fetch ?? runtimeFetch();
  const life = new AbortController();
  const events = new Emitter<ClientEvents>();
  const limits = new Limits(
    {
      clock,
      mostWaiting: options.mostWaiting ?? DEFAULT_MOST_WAITING,
      longestWaitMs: options.longestLimitWaitMs ?? Infinity,
      longestBusyWaitMs: options.longestBusyWaitMs ?? DEFAULT_LONGEST_BUSY_WAIT_MS,
      random,
    },
    (bucket, state) => events.emit('limit', { bucket, state }),
  );
  const tokens = new TokenSource({
    storage: options.tokens ?? memoryTokens(),
    clock,
    onRefused: (refusal) => events.emit('tokenRefused', refusal),
  });
  const requests = { fetch, clock, limits, timeoutMs, life: life.signal };
  const anonymousHttp = new Http({ ...requests, credentials: undefined });
  const upload =
    options.upload ??
    (typeof globalThis.XMLHttpRequest === 'undefined' ? fetchUpload(fetch) : xhrUpload);
  return {
    options,
    clock,
    random,
    timeoutMs,
    requests,
    tokens,
    anonymousHttp,
    limits,
    upload,
    events,
    life,
  };
}

function runtimeFetch(): NonNullable<ClientOptions['fetch']> {
  if (typeof globalThis.fetch === 'undefined') {
    throw new HearthError('This runtime has no fetch: pass one in the options');
  }
  // A wrapper, because browsers want fetch to be called on the global object.
  return (url, init) => globalThis.fetch(url, init);
}
