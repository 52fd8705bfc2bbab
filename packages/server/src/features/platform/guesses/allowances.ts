import { createHash } from 'node:crypto';
import type { Id } from '@hearth/protocol';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/clock.ts';

/** The longest time in milliseconds for which wrong guesses are remembered. */
export const REMEMBERED_MS = DAY_MS;

/** The number of wrong guesses that there may be, and the time to wait after more. */
export interface Allowance {
  readonly key: string;
  /** Wrong guesses without waiting. After the next one, one has to wait for a second, then twice as long each time. */
  readonly free: number;
  readonly longestWaitMs: number;
  /** The time without a wrong guess after which they are forgotten. */
  readonly forgottenAfterMs: number;
  /** True if a right guess shows that the wrong ones were the same person's, so that they are forgotten. */
  readonly isPersonal: boolean;
}

/** Returns the allowance of somebody in a network from which the account has been used. */
export function fromKnownNetwork(userId: Id | '', network: string): Allowance {
  const rule = { free: 10, longestWaitMs: 5 * MINUTE_MS };
  return { ...allowance(`u:${userId}:${network}`, rule), isPersonal: true };
}

/** Returns the allowance of all others together, for one account. */
export function fromElsewhere(userId: Id): Allowance {
  return allowance(`u:${userId}`, { free: 10, longestWaitMs: 15 * MINUTE_MS });
}

/**
 * Returns the allowance of all together, for a name that no account has, so that it is treated like one that an account
 * has. Many names share a key, so that the number of keys is bounded.
 */
export function forNobody(name: string): Allowance {
  const [high = 0, low = 0] = createHash('sha256').update(name).digest();
  return allowance(`n:${high * 256 + low}`, { free: 10, longestWaitMs: 15 * MINUTE_MS });
}

/** Returns the allowance of a client, for all accounts together that have not been used from its network. */
export function fromAddress(address: string): Allowance {
  const rule = { free: 20, longestWaitMs: 15 * MINUTE_MS };
  return { ...allowance(`a:${address}`, rule), forgottenAfterMs: HOUR_MS };
}

/** Returns the allowance of a session that has to prove that its user is there. */
export function ofSession(sessionId: Id): Allowance {
  const rule = { free: 5, longestWaitMs: 15 * MINUTE_MS };
  return { ...allowance(`s:${sessionId}`, rule), isPersonal: true };
}

/** Returns the allowance of a person who asks for addresses that other accounts have. */
export function ofTakenAddresses(userId: Id): Allowance {
  return allowance(`e:${userId}`, { free: 5, longestWaitMs: 15 * MINUTE_MS });
}

/** Returns the time to wait after so many wrong guesses, in milliseconds. */
export function waitAfter(failures: number, { free, longestWaitMs }: Allowance): number {
  return failures < free ? 0 : Math.min(longestWaitMs, 1_000 * 2 ** (failures - free));
}

function allowance(key: string, rule: Pick<Allowance, 'free' | 'longestWaitMs'>): Allowance {
  return { key, ...rule, forgottenAfterMs: REMEMBERED_MS, isPersonal: false };
}
