import type { StoredInvite } from './store.ts';

/** Whether somebody can still join with an invite. */
export function isUsable(
  { uses, maxUses, expiresAtMs }: Pick<StoredInvite, 'uses' | 'maxUses' | 'expiresAtMs'>,
  nowMs: number,
): boolean {
  return (maxUses === 0 || uses < maxUses) && (expiresAtMs === 0 || expiresAtMs > nowMs);
}
