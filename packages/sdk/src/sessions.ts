import type { Id, Session, SessionClient, SignedIn } from '@hearth/protocol';
import {
  receivedNothing,
  receivedSessions,
  receivedSignedIn,
  receivedToken,
} from '@hearth/protocol/received';
import type { Api } from './api.ts';
import { LONGEST_FORM_WAIT_MS } from './patience.ts';
import { ConflictError } from './errors.ts';
import type { TokenSource } from './token-source.ts';
import type { RequestOptions } from './types.ts';

/** A person who signs in: exactly one of `username` and `email`, see {@link identityOf}. */
export interface Credential {
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  readonly password: string;
  /** The code of an authenticator app, or a recovery code, if the account has a second factor. */
  readonly code?: string | undefined;
  /** The client as which the session is listed. */
  readonly client?: SessionClient | undefined;
}

/**
 * Returns the credential that a person typed into a field for a name or an email address.
 *
 * @example await client.signIn({ ...identityOf('ada@example.org'), password });
 */
export function identityOf(
  typed: string,
): { readonly username: string } | { readonly email: string } {
  const text = typed.trim();
  return text.includes('@') ? { email: text } : { username: text };
}

/** Begins a session. */
export function beginSession(
  api: Api,
  body: Credential,
  { signal }: RequestOptions = {},
): Promise<SignedIn> {
  return api.request({
    method: 'POST',
    path: '/auth',
    limit: 'auth',
    body,
    hasSecret: true,
    isAnonymous: true,
    longestWaitMs: LONGEST_FORM_WAIT_MS,
    answers: receivedSignedIn,
    signal,
  });
}

/** The age from which a token is renewed, in milliseconds. */
const OLD_MS = 7 * 86_400_000;

/** The sessions of the person who is signed in. All throw UnauthorizedError if nobody is. */
export class SessionsClient {
  readonly #api: Api;
  readonly #tokens: TokenSource;

  /** @internal */
  constructor(api: Api, tokens: TokenSource) {
    this.#api = api;
    this.#tokens = tokens;
  }

  /** The sessions, the one used last first. */
  list({ signal }: RequestOptions = {}): Promise<readonly Session[]> {
    return this.#api.request({
      method: 'GET',
      path: '/sessions',
      limit: 'list',
      answers: receivedSessions,
      signal,
    });
  }

  /** Ends a session; to end this one, use `Client.signOut`. Throws NotFoundError. */
  async end(id: Id | 'current', { signal }: RequestOptions = {}): Promise<void> {
    await this.#api.request({
      method: 'DELETE',
      path: '/sessions/:id',
      params: { id },
      limit: 'write',
      answers: receivedNothing,
      signal,
    });
  }

  /** Ends all sessions but this one. */
  async endOthers({ signal }: RequestOptions = {}): Promise<void> {
    await this.#api.request({
      method: 'DELETE',
      path: '/sessions',
      limit: 'write',
      answers: receivedNothing,
      signal,
    });
  }

  /** Gets a new token for this session and stores it. The former one is accepted for another minute. */
  async renewToken({ signal }: RequestOptions = {}): Promise<void> {
    const { token } = await this.#api.request({
      method: 'POST',
      path: '/sessions/current/token',
      limit: 'write',
      answers: receivedToken,
      signal,
    });
    await this.#tokens.write(token);
  }

  /**
   * Renews the token if it is more than a week old. Tokens of a key that the owner has replaced are accepted for 30 days only,
   * so a client that is used stays signed in. Does nothing if nobody is signed in. If another client of the session was faster,
   * the storage is asked for the token that it has stored.
   */
  async renewOldToken(options: RequestOptions = {}): Promise<void> {
    const token = await this.#tokens.read([options.signal]);
    if (token === undefined || this.#tokens.ageOf(token) < OLD_MS) return;
    try {
      await this.renewToken(options);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      // The storage may have the new one, so that no later request has to be refused first.
      await this.#tokens.read([options.signal], token);
    }
  }
}
