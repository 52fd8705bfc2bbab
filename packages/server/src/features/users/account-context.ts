import type { Context } from '../../context.ts';
import type { KeepsGuesses } from '../guesses/guess-limits.ts';
import type { KeepsProofs } from '../proofs/proofs.ts';
import type { KeepsTokenKeys } from '../sessions/token-key-store.ts';
import type { KeepsTokens } from '../sessions/tokens.ts';
import type { KeepsPasswords } from './passwords.ts';

/** What verbs about accounts receive. */
export interface AccountContext
  extends Context, KeepsGuesses, KeepsPasswords, KeepsProofs, KeepsTokenKeys, KeepsTokens {}
