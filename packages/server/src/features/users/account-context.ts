import type { Context } from '../../context.ts';
import type { GuessLimits } from '../guesses/guess-limits.ts';
import type { RegistrationContext } from '../registration/registration-context.ts';
import type { TokenKeyStore } from '../sessions/token-key-store.ts';
import type { Tokens } from '../sessions/tokens.ts';
import type { Passwords } from './passwords.ts';

/** What accounts keep open while an instance runs. */
export interface OpenAccounts extends RegistrationContext {
  readonly passwords: Passwords;
  readonly tokens: Tokens;
  readonly tokenKeys: TokenKeyStore;
  readonly guesses: GuessLimits;
}

/** What verbs about accounts receive. */
export interface AccountContext extends Context, OpenAccounts {}
