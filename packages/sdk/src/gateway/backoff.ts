import type { DisconnectReason } from '@hearth/protocol';

/** Longest wait that nobody asked for, in milliseconds. */
export const LONGEST_BACKOFF_MS = 30_000;

const FIRST_BACKOFF_MS = 500;

/** Time in which a limit on connections is likely to be over, where the gateway does not tell. */
const LIMITED_BACKOFF_MS = 5_000;

/** Why a connection is over, and what the gateway said of coming back. */
export interface Parting {
  readonly reason: DisconnectReason | 'network';
  /** Undefined where the gateway did not tell. */
  readonly retryAfterMs: number | undefined;
  /** False where coming back cannot help. */
  readonly reconnect: boolean;
}

/** Any moment of a span that doubles with each attempt, the first of which is 1 (full jitter). */
export function backoffMs(attempt: number, random: () => number): number {
  const span = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));
  return Math.round(random() * span);
}

/** How long to stay away before the next attempt: as told, or longer where that fails again and again. */
export function reconnectDelayMs(
  { reason, retryAfterMs }: Parting,
  attempt: number,
  random: () => number,
): number {
  const jitterMs = backoffMs(attempt, random);
  if (retryAfterMs !== undefined) return Math.max(retryAfterMs, jitterMs);
  return reason === 'rate_limited' ? LIMITED_BACKOFF_MS + jitterMs : jitterMs;
}
