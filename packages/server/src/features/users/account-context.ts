import type { Context } from '../../context.ts';
import type { Tokens } from '../sessions/tokens.ts';
import type { Passwords } from './passwords.ts';

/** What verbs about accounts receive. */
export interface AccountContext extends Context {
  /** Who may register. */
  readonly registration: 'open' | 'closed';
  readonly passwords: Passwords;
  readonly tokens: Tokens;
}
