import type { RegistrationMode } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import type { GuessLimits } from '../guesses/guess-limits.ts';
import type { TokenKeyStore } from '../sessions/token-key-store.ts';
import type { Tokens } from '../sessions/tokens.ts';
import type { Passwords } from './passwords.ts';

/** What accounts keep open while an instance runs. */
export interface OpenAccounts {
  /** Who may register. */
  readonly registration: RegistrationMode;
  readonly passwords: Passwords;
  readonly tokens: Tokens;
  readonly tokenKeys: TokenKeyStore;
  readonly guesses: GuessLimits;
}

/** What verbs about accounts receive. */
export interface AccountContext extends Context, OpenAccounts {}
