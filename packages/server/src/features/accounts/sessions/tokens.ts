import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../lib/clock.ts';
import { MOST_SKEW_MS } from '../../../lib/stored-moment.ts';
import { MOST_TOKEN_CHARACTERS, payloadSchema, TOKEN_S, type TokenClaims } from './token-claims.ts';
import { isAccepted, type TokenKey, type TokenKeys } from './token-keys.ts';

/** RFC 8725: the algorithm is ours to choose, never the token's. */
const ALGORITHM = 'EdDSA';

/** A token's header and payload are JSON objects in base64url, so they begin with this. */
const BEGINNING = /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{86}$/;

/** More keys than an instance accepts at a time. */
const MOST_IMPORTED = 16;

/** The keys of an instance's tokens. */
export interface TokenKeySource {
  /** The keys as this process knows them. Rejects if they cannot be read. */
  current(): Promise<TokenKeys>;
  /** The keys as they are now, for a token whose key this process does not know. */
  newest(): Promise<TokenKeys>;
}

/** Signs and reads tokens: JSON Web Tokens (RFC 7519) with EdDSA. */
export class Tokens {
  readonly #keys: TokenKeySource;
  readonly #clock: Pick<Clock, 'unixMs'>;
  readonly #imported = new LRUCache<string, Promise<CryptoKey>>({ max: MOST_IMPORTED });

  constructor(keys: TokenKeySource, clock: Pick<Clock, 'unixMs'>) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /** A token that is valid for 400 days. */
  async sign({
    userId,
    sessionId,
    secret,
  }: Pick<TokenClaims, 'userId' | 'sessionId' | 'secret'>): Promise<string> {
    const { SignJWT, importJWK } = await import('jose');
    const [key] = (await this.#keys.current()).keys;
    if (key?.d === undefined) throw new Error('there is no key to sign with');
    const { kty, crv, x, d } = key;
    const nowS = Math.floor(this.#clock.unixMs() / 1_000);
    return await new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: ALGORITHM, kid: key.kid })
      .setSubject(userId)
      .setJti(secret)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + TOKEN_S)
      .sign(await importJWK({ kty, crv, x, d }, ALGORITHM));
  }

  /**
   * Reads a token: resolves with what it says, if one of our keys has signed it and it is valid now. Never rejects
   * because of the token, only if the keys cannot be read.
   */
  async read(token: string): Promise<TokenClaims | undefined> {
    if (token.length > MOST_TOKEN_CHARACTERS || !BEGINNING.test(token)) return undefined;
    const { errors, jwtVerify } = await import('jose');
    const nowMs = this.#clock.unixMs();
    let keyEndsAtMs = Infinity;
    const keyOf = async (kid: string | undefined) => {
      const key = await this.#acceptedKey(kid, nowMs);
      keyEndsAtMs = key.accepted_until ?? Infinity;
      return await this.#publicKey(key);
    };
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => keyOf(kid), {
        algorithms: [ALGORITHM],
        currentDate: new Date(nowMs),
        clockTolerance: MOST_SKEW_MS / 1_000,
        requiredClaims: ['sub', 'sid', 'jti', 'iat', 'exp'],
      });
      const claims = payloadSchema.safeParse(payload).data;
      if (claims === undefined) return undefined;
      return { ...claims, acceptedUntilMs: Math.min(claims.acceptedUntilMs, keyEndsAtMs) };
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  async #acceptedKey(kid: string | undefined, nowMs: number): Promise<TokenKey> {
    const accepted = ({ keys }: TokenKeys): TokenKey | undefined =>
      keys.find((each) => each.kid === kid && isAccepted(each, nowMs));
    // Another process may have signed it with a key that this one does not know yet.
    const key = accepted(await this.#keys.current()) ?? accepted(await this.#keys.newest());
    if (key !== undefined) return key;
    const { errors } = await import('jose');
    throw new errors.JWKSNoMatchingKey();
  }

  async #publicKey({ kty, crv, x, kid }: TokenKey): Promise<CryptoKey> {
    let imported = this.#imported.get(kid);
    if (imported === undefined) {
      const { importJWK } = await import('jose');
      // Guarantee: an asymmetric key is not imported as bytes.
      imported = importJWK({ kty, crv, x }, ALGORITHM) as Promise<CryptoKey>;
      this.#imported.set(kid, imported);
    }
    return await imported;
  }
}

export interface KeepsTokens {
  readonly tokens: Tokens;
}
