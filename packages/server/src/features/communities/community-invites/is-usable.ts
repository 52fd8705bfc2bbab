import type { StoredInvite } from './store.ts';

/** Returns whether somebody can still join with an invite. */
export function isUsable(
  invite: Pick<StoredInvite, 'uses' | 'max_uses' | 'expires_at_ms'>,
  nowMs: number,
): boolean {
  const { uses, max_uses: most, expires_at_ms: untilMs } = invite;
  return (most === 0 || uses < most) && (untilMs === 0 || untilMs > nowMs);
}
