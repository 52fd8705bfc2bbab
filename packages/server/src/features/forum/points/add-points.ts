import type { Transaction } from '../../../ports/database/database.ts';
import { raiseAllPoints, raisePoints, type GivenPoints } from './store.ts';

/** Adds what a vote gave somebody in a community, in thousandths, or takes it away. The vote says the same. */
export async function addPoints(tx: Transaction, given: GivenPoints): Promise<void> {
  if (given.points !== 0) await raisePoints(tx, given);
}

/** The same for several, which may concern the same people. */
export async function addAllPoints(tx: Transaction, given: readonly GivenPoints[]): Promise<void> {
  const sums = new Map<string, GivenPoints>();
  for (const each of given) {
    const key = `${each.communityId} ${each.userId}`;
    sums.set(key, { ...each, points: (sums.get(key)?.points ?? 0) + each.points });
  }
  await raiseAllPoints(
    tx,
    [...sums.values()].filter(({ points }) => points !== 0),
  );
}
