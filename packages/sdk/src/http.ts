import { ACCESS_CODE_HEADER } from '@hearth/protocol';
import type { AccessCode } from './access-code.ts';
import type { SdkClock } from './clock.ts';
import { errorOfAnswer, parsedJson, unexpectedAnswer, type RawAnswer } from './api-error.ts';
import { ForbiddenError, NetworkError, UnauthorizedError, type HearthError } from './errors.ts';
import { Guard } from './guard.ts';
import type { Outcome } from './limits/bucket.ts';
import type { Limits } from './limits/limits.ts';
import { readText } from './read-text.ts';
import type { TokenSource } from './token-source.ts';
import type { BucketName, ClientOptions } from './types.ts';

/** What a request needs. */
export interface HttpOptions {
  readonly fetch: NonNullable<ClientOptions['fetch']>;
  readonly clock: SdkClock;
  readonly limits: Limits;
  readonly timeoutMs: number;
  /** Undefined if requests carry no token. */
  readonly tokens: TokenSource | undefined;
  /** Undefined if requests carry no access code. */
  readonly accessCode: AccessCode | undefined;
  /** Aborted when no more requests may be made. */
  readonly life: AbortSignal;
}

/** A request that counts towards a limit. */
export interface HttpRequest {
  readonly url: string;
  readonly bucket: BucketName;
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
  limited<Value>(
    { url, bucket, signal }: Pick<HttpRequest, 'url' | 'bucket' | 'signal'>,
    bytes: number,
    attempt: Attempt<Value>,
  ): Promise<Value> {
    const { limits, life } = this.#options;
    const signals = [signal, life];
    const run = () =>
      limits.run(bucket, {
        bytes,
        signals,
        attempt: () =>
          this.#authorized(signals, (authorization) =>
            this.#admitted(bucket, (access) =>
              this.#guarded(url, signals, (guard) =>
                attempt(guard, { ...authorization, ...access }),
              ),
            ),
          ),
      });
    const preparing = isDownload(bucket) ? undefined : this.#options.accessCode?.prepare(signal);
    // Without a code nothing waits.
    return preparing === undefined ? run() : preparing.then(run);
  }

  /** Tries again if the token was refused and there is another one; in the same turn, so requests keep their order. */
  async #authorized<Value>(
    signals: Signals,
    attempt: (authorization: Headers) => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> {
    const { tokens } = this.#options;
    const token = await tokens?.read(signals);
    if (token === undefined) return attempt({});
    const outcome = await attempt(authorizationOf(token));
    if (outcome.ok || !(outcome.error instanceof UnauthorizedError)) return outcome;
    const other = await tokens?.read(signals, token);
    return other === undefined || other === token ? outcome : attempt(authorizationOf(other));
  }

  /** Tries again, in the same turn, if it was refused for lack of an access code that was not known to be needed. */
  async #admitted<Value>(
    bucket: BucketName,
    attempt: (access: Headers) => Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> {
    const { accessCode } = this.#options;
    if (accessCode === undefined || isDownload(bucket)) return attempt({});
    const sent = accessCode.current;
    const outcome = await attempt(accessOf(sent));
    if (outcome.ok || sent !== undefined || !isCodeMissing(outcome.error)) return outcome;
    return accessCode.missed() ? attempt(accessOf(accessCode.current)) : outcome;
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
    { url, method = 'GET', headers = {}, body }: Omit<HttpRequest, 'bucket' | 'signal'>,
    { guard, cache }: { readonly guard: Guard; readonly cache?: RequestCache },
  ): Promise<Response> {
    return this.#options.fetch(url, {
      method,
      signal: guard.signal,
      headers,
      ...redirectOf(headers),
      ...(cache === undefined ? {} : { cache }),
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

function authorizationOf(token: string): Headers {
  return { Authorization: `Bearer ${token}` };
}

function accessOf(code: string | undefined): Headers {
  return code === undefined ? {} : { [ACCESS_CODE_HEADER]: code };
}

function isCodeMissing(error: HearthError): boolean {
  return error instanceof ForbiddenError && error.code === 'access_code';
}

// Files can be fetched without the code, and without it a browser need not ask first whether it may send the request.
function isDownload(bucket: BucketName): boolean {
  return bucket.startsWith('fetch_');
}

/** An instance never redirects, so a redirect comes from something else, which must not get the token or the code. */
function redirectOf(headers: Headers): { readonly redirect?: 'error' } {
  const isSecret = 'Authorization' in headers || ACCESS_CODE_HEADER in headers;
  return isSecret ? { redirect: 'error' } : {};
}

/** In some runtimes, only the cause says what happened. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message;
}
