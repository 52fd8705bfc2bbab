import { RateLimitedError } from '@hearth/protocol';
import type { Caller } from './caller.ts';

/** The time that a client with too many transfers is asked to wait: one of them may have ended by then. */
const RETRY_AFTER_MS = 5_000;

/**
 * Counts the request as a transfer until it is answered: a download of `sizeBytes`, or an upload. Throws
 * RateLimitedError if the client already has too many that are running (File service rule FS27 of docs/spec).
 */
export function beginTransfer({ client, peer }: Caller, sizeBytes?: number): void {
  if (!peer.beginTransfer(client, sizeBytes)) throw new RateLimitedError(RETRY_AFTER_MS);
}
