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

/**
 * Why the gateway ends a connection. Clients of profiles 1 and 2 receive this in DISCONNECT, before the close frame. Each entry
 * says whether it helps to reconnect, and gives the reason in the close frame. Ours.
 */
export const DISCONNECT_REASONS = {
  /** No PING came in time, or, on profile 2, no AUTHENTICATE. */
  dead: { close: 'dead', reconnect: true },
  /** Too many connections, or too many or too large payloads. */
  rate_limited: { close: 'rateLimited', reconnect: true },
  /** Too much was waiting for the client, or it fell behind by more than the stream keeps. */
  too_slow: { close: 'serverError', reconnect: true },
  /** As many clients are connected as the instance can hold. */
  full: { close: 'serverError', reconnect: true },
  /** The instance is stopping and may be back soon. */
  shutdown: { close: 'serverError', reconnect: true },
  /** The client is banned. */
  banned: { close: 'serverError', reconnect: false },
  /** The instance needs its access code, and the client gave none or a wrong one. */
  access_code: { close: 'serverError', reconnect: false },
  /** Profile 2: the token is not valid, or the session has ended. */
  unauthorized: { close: 'serverError', reconnect: false },
  /** The instance failed. */
  server_error: { close: 'serverError', reconnect: true },
} as const satisfies Readonly<
  Record<string, { readonly close: CloseReason; readonly reconnect: boolean }>
>;

/** Why the gateway ends a connection. */
export type DisconnectReason = keyof typeof DISCONNECT_REASONS;

/** A client sends PING at least this often, in milliseconds (Events rule 1). */
export const HEARTBEAT_INTERVAL_MS = 45_000;

/** Allowed lateness in milliseconds: real clients ping every 44 to 45.05 s, and some begin only after 45 s. */
export const HEARTBEAT_GRACE_MS = 2_000;

/** Silence in milliseconds after which the gateway considers a client dead (Events rule 2). */
export const HEARTBEAT_TIMEOUT_MS = HEARTBEAT_INTERVAL_MS + HEARTBEAT_GRACE_MS;

/** The time in milliseconds in which a client of profile 2 has to send AUTHENTICATE. Ours. */
export const AUTHENTICATE_WITHIN_MS = 10_000;

/** The largest payload that a client may send to the gateway, in bytes. Ours. */
export const MOST_PAYLOAD_BYTES = 64 * 1024;
