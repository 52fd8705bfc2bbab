import { NONCE_REMEMBERED_MS, type Id } from '@hearth/protocol';

export interface UsedNonce {
  /** Where it was created, as the name of a stream, such as `lobby`. Places do not share nonces. */
  readonly place: string;
  readonly userId: Id;
  readonly nonce: string;
  readonly resultId: Id;
  /** Unix milliseconds. */
  readonly usedAtMs: number;
}

/** The key by which the bus knows a nonce. */
export function nonceKey({
  place,
  userId,
  nonce,
}: Pick<UsedNonce, 'place' | 'userId' | 'nonce'>): string {
  return `${place} ${userId} ${nonce}`;
}

/** Nonces that were used at this moment or before it are forgotten. */
export function forgottenAtMs(nowMs: number): number {
  return nowMs - NONCE_REMEMBERED_MS;
}
