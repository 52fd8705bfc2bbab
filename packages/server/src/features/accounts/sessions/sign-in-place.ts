import type { Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import {
  forNobody,
  fromAddress,
  fromElsewhere,
  fromKnownNetwork,
  isWelcome,
  type Allowance,
} from '../../platform/guesses/guesses.ts';
import { addressHintOf } from './address-hint.ts';
import { wasUsedFrom } from './store.ts';
import { UNUSED_MS } from './token-check.ts';

/**
 * The allowances that an attempt to sign in uses, and whether it comes from a network from which the account has been
 * used.
 */
export interface SignInPlace {
  readonly allowances: readonly Allowance[];
  readonly isKnown: boolean;
  readonly network: string;
}

/**
 * A person who has used the account from this network in the last 90 days has an allowance there that no stranger can use up.
 * Everyone else shares that of the account and that of their address. The same queries run for a name that no account has.
 */
export async function signInPlace(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  actor: Actor,
  { userId, name }: { readonly userId: Id | undefined; readonly name: string },
): Promise<SignInPlace> {
  const network = addressHintOf(actor);
  const address = 'address' in actor ? actor.address : '';
  const sinceMs = clock.unixMs() - UNUSED_MS;
  const [wasUsed, mayTry] = await Promise.all([
    wasUsedFrom(database.reader, { userId, network }, sinceMs),
    isWelcome(database.reader, { userId, network }),
  ]);
  const isKnown = userId !== undefined && network !== '' && (wasUsed || mayTry);
  if (isKnown)
    return { allowances: [fromKnownNetwork(userId, network)], isKnown: wasUsed, network };
  const ofAccount = userId === undefined ? forNobody(name) : fromElsewhere(userId);
  return { allowances: [ofAccount, fromAddress(address)], isKnown: false, network };
}
