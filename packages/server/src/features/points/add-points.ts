import type { Transaction } from '../../ports/database/database.ts';
import { raisePoints, type GivenPoints } from './store.ts';

/** Adds what a vote gave somebody in a community, in thousandths, or takes it away. The vote says the same. */
export async function addPoints(tx: Transaction, given: GivenPoints): Promise<void> {
  if (given.points !== 0) await raisePoints(tx, given);
}
