import type { DisconnectReason } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import { findBan } from '../../features/accounts/moderation/moderation.ts';
import type { Connection } from './connection.ts';
import { disconnectText } from './event-texts.ts';
import { retryAfterMs } from './retry-after.ts';

/** What a connection of profile 1 is sent before it is closed (LB22, MO8). */
export function partingText(
  ctx: Context,
  { client: address, retryAt }: Pick<Connection, 'client' | 'retryAt'>,
  reason: DisconnectReason,
): string {
  const { clock, restrictions } = ctx;
  const ban = reason === 'banned' ? findBan(ctx, { address }, restrictions.latest) : undefined;
  const waitMs = retryAfterMs(reason, retryAt - clock.monotonicMs());
  return disconnectText(reason, { retryAfterMs: waitMs, ban });
}
