import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import { fromKnownNetwork } from './allowances.ts';
import { clearFailures, selectFailures } from './store.ts';

/** Treats a network as one from which an account has been used, until somebody signs in from there or for a day. */
export async function welcomeNetwork(
  db: Writer,
  { userId, network }: { readonly userId: Id; readonly network: string },
  nowMs: number,
): Promise<void> {
  await clearFailures(db, fromKnownNetwork(userId, network).key, nowMs);
}

/** Whether guesses from a network count apart, because of {@link welcomeNetwork} or earlier guesses from there. */
export async function isWelcome(
  db: Reader,
  { userId, network }: { readonly userId: Id | undefined; readonly network: string },
): Promise<boolean> {
  const { key } = fromKnownNetwork(userId ?? '', network);
  return (await selectFailures(db, [key])).length > 0;
}
