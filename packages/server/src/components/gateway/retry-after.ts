import type { DisconnectReason } from '@hearth/protocol';

/**
 * From when and until when clients may come back. If many are disconnected at once, they come back one after another.
 */
const RETRY_MS: Readonly<Record<DisconnectReason, readonly [least: number, most: number]>> = {
  dead: [0, 1_000],
  rate_limited: [0, 500],
  too_slow: [0, 2_000],
  full: [5_000, 15_000],
  shutdown: [1_000, 5_000],
  banned: [5_000, 15_000],
  access_code: [5_000, 15_000],
  unauthorized: [5_000, 15_000],
  server_error: [1_000, 5_000],
};

/**
 * Whole milliseconds that a client is asked to wait, different for each; `waitMs` is what it has to wait in any case.
 */
export function retryAfterMs(
  reason: DisconnectReason,
  waitMs: number,
  random: () => number = Math.random,
): number {
  const [least, most] = RETRY_MS[reason];
  return Math.ceil(Math.max(0, waitMs) + least + random() * (most - least));
}
