import type { AccountExport, Id, OwnUser, Registration, SignedIn, User } from '@hearth/protocol';
import type { Api } from './api.ts';
import type { Abilities } from './capabilities.ts';
import { FeatureUnavailableError, UnauthorizedError } from './errors.ts';
import * as mailCodes from './mail-codes.ts';
import { beginSession, SessionsClient, type Credential } from './sessions.ts';
import type { TokenSource } from './token-source.ts';
import { TotpClient } from './totp.ts';
import type { RequestOptions } from './types.ts';
import * as users from './users.ts';

export interface AccountOptions {
  readonly api: Api;
  readonly abilities: Abilities;
  readonly tokens: TokenSource;
}

/**
 * The requests of a client about accounts. All requests throw the typed errors of RestClient. Those for which a person
 * waits at a form wait at most 5 seconds for their limits, and are not sent again after a RateLimitedError. If nobody
 * is signed in and the request needs it, that is an UnauthorizedError; if the instance has no accounts, a
 * FeatureUnavailableError.
 */
export abstract class AccountClient {
  /** The sessions of the person who is signed in. */
  readonly sessions: SessionsClient;
  /** The second factor of the person who is signed in. */
  readonly totp: TotpClient;
  readonly #api: Api;
  readonly #abilities: Abilities;
  readonly #tokens: TokenSource;

  protected constructor({ api, abilities, tokens }: AccountOptions) {
    this.#api = api;
    this.#abilities = abilities;
    this.#tokens = tokens;
    this.sessions = new SessionsClient(api, tokens);
    this.totp = new TotpClient(api);
  }

  /**
   * Registers an account. The person is signed in, and the token stored, unless the account has to be approved first.
   * Throws ConflictError for a name or address that is taken, ValidationError, and ForbiddenError with the code
   * `registration_closed`.
   *
   * @example await client.register({ username: 'ada', email: 'ada@example.org', password });
   */
  async register(account: Registration, options: RequestOptions = {}): Promise<users.Registered> {
    await this.#requireAccounts(options);
    const registered = await users.createUser(this.#api, account, options);
    if (registered.pending === undefined) await this.#become(registered.token);
    return registered;
  }

  /**
   * Signs in, and stores the token. Throws UnauthorizedError: `credentials_wrong`, or `factor_required` if the account has
   * a second factor and there was no `code`.
   *
   * @example await client.signIn({ username: 'ada', password });
   */
  async signIn(credential: Credential, options: RequestOptions = {}): Promise<SignedIn> {
    await this.#requireAccounts(options);
    const signedIn = await beginSession(this.#api, credential, options);
    await this.#become(signedIn.token);
    return signedIn;
  }

  /** Ends this session and forgets its token. The token is forgotten even if the instance cannot be reached. */
  async signOut(options: RequestOptions = {}): Promise<void> {
    try {
      await this.sessions.end('current', options);
    } catch (error) {
      // It has ended already.
      if (!(error instanceof UnauthorizedError)) throw error;
    } finally {
      await this.#become(undefined);
    }
  }

  /** The person who is signed in. */
  me(options: RequestOptions = {}): Promise<OwnUser> {
    return users.readOwnUser(this.#api, options);
  }

  /**
   * Changes the person who is signed in. A new password ends all other sessions, and the new token is stored. Throws
   * ValidationError for `current_password` if that is wrong.
   *
   * @example await client.updateMe({ display_name: 'Ada', bio: null });
   */
  async updateMe(patch: users.OwnUserPatch, options: RequestOptions = {}): Promise<OwnUser> {
    const changed = await users.changeOwnUser(this.#api, patch, options);
    if (!('token' in changed)) return changed;
    await this.#tokens.write(changed.token);
    return changed.user;
  }

  /** Deletes the account of the person who is signed in, and forgets the token. */
  async deleteMe(deletion: users.Deletion, options: RequestOptions = {}): Promise<void> {
    await users.deleteOwnUser(this.#api, deletion, options);
    await this.#become(undefined);
  }

  /**
   * Asks for an archive of everything that the instance has of the person who is signed in. It is made in the background: see
   * `findExport`. Throws RateLimitedError if the last one is new.
   */
  requestExport(options: RequestOptions = {}): Promise<AccountExport> {
    return users.requestExport(this.#api, options);
  }

  /** Reads how far that archive is, and its address when it is ready. */
  findExport(options: RequestOptions = {}): Promise<AccountExport> {
    return users.readExport(this.#api, options);
  }

  /** Removes a file that the person who is signed in has uploaded. Throws NotFoundError. */
  deleteUpload(id: Id, options: RequestOptions = {}): Promise<void> {
    return users.deleteOwnUpload(this.#api, id, options);
  }

  /** A person, as everyone sees them. Throws NotFoundError. */
  user(id: Id, options: RequestOptions = {}): Promise<User> {
    return users.readUser(this.#api, id, options);
  }

  /** The person with a username. Throws NotFoundError. */
  userByName(username: string, options: RequestOptions = {}): Promise<User> {
    return users.readUserByName(this.#api, username, options);
  }

  /** Sends a code to the email address of the person who is signed in, which shows that the address is theirs. */
  requestEmailCode(options: RequestOptions = {}): Promise<void> {
    return mailCodes.requestEmailCode(this.#api, options);
  }

  /** Redeems that code. Throws ValidationError for `code` if it is wrong, used or too old. */
  redeemEmailCode(code: string, options: RequestOptions = {}): Promise<OwnUser> {
    return mailCodes.redeemEmailCode(this.#api, code, options);
  }

  /** Sends a code for a new password to an address. The answer is the same whether or not it belongs to an account. */
  async requestPasswordReset(email: string, options: RequestOptions = {}): Promise<void> {
    await this.#requireAccounts(options);
    await mailCodes.requestPasswordReset(this.#api, email, options);
  }

  /** Sets a new password with that code, which ends all sessions. Throws ValidationError for `code` if it is wrong, used or too old. */
  async resetPassword(
    reset: { readonly code: string; readonly password: string },
    options: RequestOptions = {},
  ): Promise<void> {
    await this.#requireAccounts(options);
    await mailCodes.resetPassword(this.#api, reset, options);
  }

  /** Called when somebody else is signed in, or nobody. */
  protected abstract userChanged(): void;

  async #become(token: string | undefined): Promise<void> {
    await this.#tokens.write(token);
    this.userChanged();
  }

  /** A server of the documented interface must not be sent a password. */
  async #requireAccounts({ signal }: RequestOptions): Promise<void> {
    const failure = await this.#abilities.learn(signal);
    if (failure !== undefined) throw failure;
    if (!this.#abilities.has('accounts')) throw new FeatureUnavailableError('accounts');
  }
}
