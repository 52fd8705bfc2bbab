import { ACCESS_CODE_HEADER, RATE_LIMITS, type RateLimitKind } from '@hearth/protocol';
import type { AccessCode } from './access-code.ts';
import { ForbiddenError, HearthError, UnauthorizedError } from './errors.ts';
import type { Outcome } from './limits/outcome.ts';
import type { TokenSource } from './token-source.ts';
import type { BucketName } from './types.ts';

/**
 * The addresses that may get a secret: a token, the access code or a password. `secure` means only https and wss addresses,
 * because the instance was found at one. `none` is for an instance whose https address did not answer.
 */
export type SecretScope = 'any' | 'secure' | 'none';

/** The secrets of a client. */
export interface CredentialsOptions {
  readonly tokens: TokenSource;
  readonly accessCode: AccessCode;
  readonly scope: SecretScope;
}

/** A request that may carry secrets. */
export interface SecretRequest {
  readonly url: string;
  readonly bucket: BucketName;
  readonly signals: readonly (AbortSignal | undefined)[];
  /** True if its body has a secret. */
  readonly hasSecret?: boolean | undefined;
  /**
   * True if, with a token, the same request again changes nothing more, so that it is sent again if no answer comes.
   */
  readonly isRepeatable?: boolean | undefined;
  /** True if it goes without the token, because it is what gets a new one. */
  readonly isAnonymous?: boolean | undefined;
}

type Headers = Readonly<Record<string, string>>;
type Attempt<Value> = (headers: Headers) => Promise<Outcome<Value>>;

/** Decides which requests carry the token and the access code, and what happens if they are refused. */
export class Credentials {
  readonly #options: CredentialsOptions;

  constructor(options: CredentialsOptions) {
    this.#options = options;
  }

  /**
   * Returns what has to be awaited before the request, if anything. Throws HearthError if a secret must not be sent
   * there.
   */
  prepare(
    { url, bucket, hasSecret }: SecretRequest,
    signal: AbortSignal | undefined,
  ): Promise<unknown> | undefined {
    const { accessCode, scope } = this.#options;
    const isAllowed = mayCarrySecrets(url, scope);
    if (hasSecret === true && !isAllowed) {
      const { origin } = new URL(url);
      throw new HearthError(
        `Secrets are not sent to ${origin}, because it is not an https address`,
      );
    }
    return isDownload(bucket) || !isAllowed ? undefined : accessCode.prepare(signal);
  }

  /** The limit that counts a request, as far as it is known whether it will carry a token. */
  limitOf(bucket: BucketName): BucketName {
    const { withToken }: RateLimitKind = RATE_LIMITS[bucket];
    return withToken !== undefined && this.#options.tokens.isPresent ? withToken : bucket;
  }

  /** Makes an attempt with the headers that may be sent, and another one if they were refused and there are others. */
  attempt<Value>(request: SecretRequest, attempt: Attempt<Value>): Promise<Outcome<Value>> {
    if (!mayCarrySecrets(request.url, this.#options.scope)) return attempt({});
    return this.#authorized(request, (authorization) =>
      this.#admitted(request, (access) => attempt({ ...authorization, ...access })),
    );
  }

  /** Tries again if the token was refused and there is another one; in the same turn, so requests keep their order. */
  async #authorized<Value>(
    { signals, isAnonymous = false }: SecretRequest,
    attempt: Attempt<Value>,
  ): Promise<Outcome<Value>> {
    const { tokens } = this.#options;
    const token = isAnonymous ? undefined : await tokens.read(signals);
    if (token === undefined) return await attempt({});
    const outcome = await attempt(authorizationOf(token));
    if (outcome.ok || !isTokenRefused(outcome.error)) return outcome;
    const other = await tokens.replacementOf(token, outcome.error, signals);
    if (other === undefined) return outcome;
    const last = await attempt(authorizationOf(other));
    if (!last.ok && isTokenRefused(last.error)) await tokens.forget(other, last.error, signals);
    return last;
  }

  /** Tries again, in the same turn, if it was refused for lack of an access code that was not known to be needed. */
  async #admitted<Value>(
    { bucket }: SecretRequest,
    attempt: Attempt<Value>,
  ): Promise<Outcome<Value>> {
    const { accessCode } = this.#options;
    if (isDownload(bucket)) return await attempt({});
    const sent = accessCode.current;
    const outcome = await attempt(accessOf(sent));
    if (outcome.ok || sent !== undefined || !isCodeMissing(outcome.error)) return outcome;
    return accessCode.missed() ? await attempt(accessOf(accessCode.current)) : outcome;
  }
}

/** Returns whether a secret may be sent to an address. */
export function mayCarrySecrets(url: string, scope: SecretScope): boolean {
  return scope === 'any' || (scope === 'secure' && /^(?:https|wss):/i.test(url));
}

/** Returns whether a request with these headers carries a secret. */
export function areSecret(headers: Headers): boolean {
  return 'Authorization' in headers || ACCESS_CODE_HEADER in headers;
}

/** Returns whether a request with these headers carries a token. */
export function haveToken(headers: Headers): boolean {
  return 'Authorization' in headers;
}

function authorizationOf(token: string): Headers {
  return { Authorization: `Bearer ${token}` };
}

function accessOf(code: string | undefined): Headers {
  return code === undefined ? {} : { [ACCESS_CODE_HEADER]: code };
}

function isTokenRefused(error: unknown): error is UnauthorizedError {
  return error instanceof UnauthorizedError;
}

function isCodeMissing(error: unknown): boolean {
  return error instanceof ForbiddenError && error.code === 'access_code';
}

// Files can be fetched without the code, and without it a browser need not ask first whether it may send the request.
function isDownload(bucket: BucketName): boolean {
  return bucket.startsWith('fetch_');
}
