import { RateLimitedError, type Id } from '@hearth/protocol';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import type { ChannelAccess } from '../communities/access.ts';
import { may } from './message-access.ts';
import { selectPace, takePace } from './pace-store.ts';

/** Throws RateLimitedError if a member has posted in a channel with slow mode a moment ago, on any process. */
export async function slowDown(
  tx: EmittingTransaction,
  access: ChannelAccess,
  { userId, nowMs }: { readonly userId: Id; readonly nowMs: number },
): Promise<void> {
  const { id: channelId, slowModeSeconds } = access.channel;
  if (slowModeSeconds === 0) return;
  if (may(access, 'BYPASS_SLOW_MODE') || may(access, 'MANAGE_CONTENT')) return;
  const pauseMs = slowModeSeconds * 1_000;
  const afterMs = nowMs - pauseMs;
  if (await takePace(tx.sql, { channelId, userId }, { nowMs, afterMs })) return;
  const lastMs = await selectPace(tx.sql, channelId, userId);
  // A clock that was set back must not keep anybody waiting for longer.
  throw new RateLimitedError(Math.min(pauseMs, Math.max(1, lastMs + pauseMs - nowMs)));
}
