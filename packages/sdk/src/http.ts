import { errorOfAnswer, parsedJson, unexpectedAnswer, type RawAnswer } from './api-error.ts';
import type { SdkClock } from './clock.ts';
import { areSecret, haveToken, type Credentials, type SecretRequest } from './credentials.ts';
import { NetworkError } from './errors.ts';
import { Guard } from './guard.ts';
import type { Outcome } from './limits/outcome.ts';
import type { Limits } from './limits/limits.ts';
import { readText } from './read-text.ts';
import type { ClientOptions } from './types.ts';
import { untilAnswered } from './until-answered.ts';

export interface HttpOptions {
  readonly fetch: NonNullable<ClientOptions['fetch']>;
  readonly clock: SdkClock;
  readonly limits: Limits;
  readonly timeoutMs: number;
  /** Undefined if requests carry neither a token nor an access code. */
  readonly credentials: Credentials | undefined;
  /** Aborted when no more requests may be made. */
  readonly life: AbortSignal;
}

/** A request that counts towards a limit. */
export interface HttpRequest extends Omit<SecretRequest, 'signals'> {
  /**
   * The longest time that it waits for its limit, because a person waits for it; then it is not tried again if it is
   * refused.
   */
  readonly longestWaitMs?: number | undefined;
  /** True if its place may have a pace of its own, for which requests elsewhere do not wait. */
  readonly hasOwnPace?: boolean | undefined;
  /** The place, if its requests wait for a pace of its own, one after the other. */
  readonly lane?: string | undefined;
  /** The time for which it is repeated while its place is busy, if not as long as usual. */
  readonly longestBusyWaitMs?: number | undefined;
  /** True if a page that is being left still sends it. */
  readonly outlivesPage?: boolean | undefined;
  readonly signal: AbortSignal | undefined;
  /** GET by default. */
  readonly method?: string;
  readonly headers?: Headers;
  readonly body?: string;
  /** Is called with the headers of an answer that is parsed. */
  readonly onHeaders?: ((headers: globalThis.Headers) => void) | undefined;
}

type Headers = Readonly<Record<string, string>>;

/** One attempt at a request; `credentials` are the headers with the token and the access code, as far as there are any. */
type Attempt<Value> = (guard: Guard, credentials: Headers) => Promise<Outcome<Value>>;

/** Parses an answer: a schema of the protocol. */
export interface Reading<Value> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: Value }
    | { readonly success: false; readonly error: Error };
}

/** A larger answer is not read: no instance sends one, but something else might send one without end. */
const MOST_JSON_BYTES = 256 * 1024 * 1024;
const MOST_ERROR_BYTES = 64 * 1024;

/** An instance never redirects, so a redirect comes from something else, which must not get a secret. */
const NOT_REDIRECTED = { redirect: 'error' } as const;

/** Makes requests. Each waits for its limit, can be aborted at any moment, and ends with a value or a typed error. */
export class Http {
  readonly #options: HttpOptions;

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  /** The answer's JSON, parsed by `reading`. */
  json<Value>(request: HttpRequest, reading: Reading<Value>): Promise<Value> {
    return this.limited(request, 0, async (guard, credentials) => {
      const headers = { Accept: 'application/json', ...request.headers, ...credentials };
      const response = await this.#send({ ...request, headers }, { guard, cache: 'no-store' });
      const most = response.ok ? MOST_JSON_BYTES : MOST_ERROR_BYTES;
      const text = await readText(response, guard, most);
      guard.end();
      request.onHeaders?.(response.headers);
      return outcomeOf({ status: response.status, headers: response.headers, text }, reading);
    });
  }

  /** The answer before its body is read. The reader has to end `guard`. */
  open(request: HttpRequest): Promise<{ readonly response: Response; readonly guard: Guard }> {
    return this.limited(request, 0, async (guard, credentials) => {
      const asked = { ...request, headers: { ...request.headers, ...credentials } };
      const response = await this.#send(asked, { guard });
      const { status, headers } = response;
      if (response.ok) return { ok: true, headers, value: { response, guard } };
      const text = await readText(response, guard, MOST_ERROR_BYTES);
      guard.end();
      return { ok: false, headers, error: errorOfAnswer({ status, headers, text }) };
    });
  }

  /** Runs `attempt` whenever the limit allows; `bytes` is the size of its upload. An error that it throws is not an answer. */
  async limited<Value>(
    {
      signal,
      longestWaitMs,
      hasOwnPace,
      lane,
      longestBusyWaitMs,
      ...request
    }: Omit<SecretRequest, 'signals'> &
      Pick<HttpRequest, 'signal' | 'longestWaitMs' | 'hasOwnPace' | 'lane' | 'longestBusyWaitMs'>,
    bytes: number,
    attempt: Attempt<Value>,
  ): Promise<Value> {
    const { clock, limits, life, credentials } = this.#options;
    const signals = [signal, life];
    const secret = { ...request, signals };
    const guarded = (headers: Headers) => {
      const once = () => this.#guarded(request.url, signals, (guard) => attempt(guard, headers));
      // With the same token, because somebody else may have signed in meanwhile.
      const isRepeatable = request.isRepeatable === true && haveToken(headers);
      return isRepeatable ? untilAnswered(once, { clock, signals }) : once();
    };
    const preparing = credentials?.prepare(secret, signal);
    // Without a code nothing waits.
    if (preparing !== undefined) await preparing;
    return await limits.run(credentials?.limitOf(request.bucket) ?? request.bucket, {
      address: request.url.replace(/\?.*/, ''),
      bytes,
      signals,
      longestWaitMs,
      hasOwnPace,
      lane,
      longestBusyWaitMs,
      attempt: () => credentials?.attempt(secret, guarded) ?? guarded({}),
    });
  }

  async #guarded<Value>(
    url: string,
    signals: Signals,
    attempt: (guard: Guard) => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> {
    const { clock, timeoutMs } = this.#options;
    const guard = new Guard({ clock, timeoutMs, signals });
    try {
      return await guard.race(attempt(guard));
    } catch (error) {
      guard.end();
      if (guard.signal.aborted) throw guard.signal.reason;
      throw new NetworkError(`${url} could not be reached: ${messageOf(error)}`, { cause: error });
    }
  }

  #send(
    request: Omit<HttpRequest, 'bucket' | 'signal'>,
    { guard, cache }: { readonly guard: Guard; readonly cache?: RequestCache },
  ): Promise<Response> {
    const { url, method = 'GET', headers = {}, body, hasSecret, outlivesPage } = request;
    return this.#options.fetch(url, {
      method,
      signal: guard.signal,
      headers,
      ...(hasSecret === true || areSecret(headers) ? NOT_REDIRECTED : {}),
      ...(cache === undefined ? {} : { cache }),
      ...(outlivesPage === true ? { keepalive: true } : {}),
      ...(body === undefined ? {} : { body }),
    });
  }
}

/** The outcome of a whole answer. */
export function outcomeOf<Value>(
  { status, headers, text }: RawAnswer,
  reading: Reading<Value>,
): Outcome<Value> {
  if (status < 200 || status > 299) {
    return { ok: false, headers, error: errorOfAnswer({ status, headers, text }) };
  }
  const parsed = reading.safeParse(parsedJson(text));
  if (parsed.success) return { ok: true, headers, value: parsed.data };
  return { ok: false, headers, error: unexpectedAnswer(status, text, parsed.error) };
}

type Signals = readonly (AbortSignal | undefined)[];

/** In some runtimes, only the cause says what happened. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message;
}
