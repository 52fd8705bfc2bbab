import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import type { TokenKeyStore } from './token-key-store.ts';
import { newTokenKeys, rotated, type TokenKeys } from './token-keys.ts';

export interface KeyContext {
  readonly tokenKeys: TokenKeyStore;
  readonly clock: Clock;
}

/**
 * Makes a new key that signs tokens from now on. Tokens of the old one are accepted for `overlapMs` more; with 0, everyone
 * has to sign in again. Throws StartError, and what the database throws.
 */
export async function rotateKeys(
  { tokenKeys, clock }: KeyContext,
  actor: Actor,
  { overlapMs }: { readonly overlapMs: number },
): Promise<TokenKeys> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const nowMs = clock.unixMs();
  return await tokenKeys.replace((old) =>
    old === undefined ? newTokenKeys() : rotated(old, { nowMs, overlapMs }),
  );
}
