/** The code of every intentional close by the gateway (Events rule 3). */
export const CLOSE_CODE = 1011;

/** The reason texts of the gateway's intentional closes (Events rule 3). */
export const CLOSE_REASONS = {
  dead: 'Client connection dead',
  rateLimited: 'Client hit rate limit',
  serverError: 'Server error',
} as const;

/** Why the gateway closes a connection. */
export type CloseReason = keyof typeof CLOSE_REASONS;

/** A client sends PING at least this often, in milliseconds (Events rule 1). */
export const HEARTBEAT_INTERVAL_MS = 45_000;

/** Because real clients ping every 44 to 45.05 s and some begin only after 45 s, in milliseconds. */
export const HEARTBEAT_GRACE_MS = 2_000;

/** Silence after which the gateway calls a client dead, in milliseconds (Events rule 2). */
export const HEARTBEAT_TIMEOUT_MS = HEARTBEAT_INTERVAL_MS + HEARTBEAT_GRACE_MS;
