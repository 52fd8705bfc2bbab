import { CLOSE_REASONS, type DisconnectReason, type Term } from '@hearth/protocol';

/** Why a connection ended, and when the gateway wants the client back. */
export interface Parting {
  readonly reason: DisconnectReason | 'network';
  /** Undefined if the gateway did not give a time. */
  readonly retryAfterMs: number | undefined;
  /** False if reconnecting cannot help. */
  readonly reconnect: boolean;
  /** The ban that the gateway has reported. */
  readonly ban?: Term | undefined;
}

/** The connection broke, or nothing is known about its end. */
export function broken(): Parting {
  return { reason: 'network', retryAfterMs: undefined, reconnect: true };
}

/** The meaning of the documented gateway's close frame (Events rule 3). */
export function partingOf(closeReason: string): Parting {
  const reasons: Readonly<Record<string, DisconnectReason>> = {
    [CLOSE_REASONS.dead]: 'dead',
    [CLOSE_REASONS.rateLimited]: 'rate_limited',
    [CLOSE_REASONS.serverError]: 'server_error',
  };
  return { ...broken(), reason: reasons[closeReason] ?? 'network' };
}
