import type { DisconnectReason } from '@hearth/protocol';
import type { ConnectionRules } from '../../gateway-host.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Connection } from './connection.ts';
import { disconnectText } from './event-texts.ts';
import { retryAfterMs } from './retry-after.ts';

/** Everything that the last payload of a connection depends on. */
export interface Parting {
  readonly clock: Clock;
  readonly rules: ConnectionRules;
}

/** Returns the last payload of a connection of profile 1 or 2, before it is closed (LB22, MO8). */
export function partingText(
  { clock, rules }: Parting,
  { client: address, retryAt }: Pick<Connection, 'client' | 'retryAt'>,
  reason: DisconnectReason,
): string {
  const ban = reason === 'banned' ? rules.banOf({ address }) : undefined;
  const waitMs = retryAfterMs(reason, retryAt - clock.monotonicMs());
  return disconnectText(reason, { retryAfterMs: waitMs, ban });
}
