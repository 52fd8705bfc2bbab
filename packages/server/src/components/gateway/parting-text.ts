import type { DisconnectReason } from '@hearth/protocol';
import type { ConnectionRules } from '../../gateway-host.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Connection } from './connection.ts';
import { disconnectText } from './event-texts.ts';
import { retryAfterMs } from './retry-after.ts';

/** What decides on the last payload of a connection. */
export interface Parting {
  readonly clock: Clock;
  readonly rules: ConnectionRules;
}

/** What a connection of profile 1 is sent before it is closed (LB22, MO8). */
export function partingText(
  { clock, rules }: Parting,
  { client: address, retryAt }: Pick<Connection, 'client' | 'retryAt'>,
  reason: DisconnectReason,
): string {
  const ban = reason === 'banned' ? rules.banOf({ address }) : undefined;
  const waitMs = retryAfterMs(reason, retryAt - clock.monotonicMs());
  return disconnectText(reason, { retryAfterMs: waitMs, ban });
}
