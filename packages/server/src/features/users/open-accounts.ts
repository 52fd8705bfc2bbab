import type { Authentication } from '../../authentication.ts';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { EmittingDatabase } from '../../ports/outbox/outbox.ts';
import { GuessLimits } from '../guesses/guess-limits.ts';
import { Proofs } from '../proofs/proofs.ts';
import { TokenCheck } from '../sessions/token-check.ts';
import { databaseKeys, fileKeys } from '../sessions/token-key-store.ts';
import { TokenKeyring } from '../sessions/token-keyring.ts';
import { Tokens } from '../sessions/tokens.ts';
import type { OpenAccounts } from './account-context.ts';
import { Passwords, type PasswordsOptions } from './passwords.ts';

/** What accounts need. */
export interface AccountParts {
  readonly config: Config;
  readonly database: EmittingDatabase;
  readonly clock: Clock;
  readonly passwords?: PasswordsOptions | undefined;
}

/** Opens what accounts keep while an instance runs. Keys are read when the first token is. */
export function openAccounts({
  config: { settings, deployment },
  database,
  clock,
  passwords,
}: AccountParts): OpenAccounts & { readonly authentication: Authentication } {
  const { tokenKeyFile } = deployment;
  const tokenKeys =
    tokenKeyFile === undefined ? databaseKeys(database) : fileKeys(tokenKeyFile, database);
  const tokens = new Tokens(new TokenKeyring(tokenKeys, { database, clock }), clock);
  return {
    registration: settings.registration,
    proofs: new Proofs({ database, clock, when: settings.registrationProof }),
    passwords: new Passwords(passwords),
    tokens,
    tokenKeys,
    guesses: new GuessLimits({ database, clock }),
    authentication: new TokenCheck({ database, tokens, clock, settings }),
  };
}
