import { maxMessageBytes } from '@hearth/protocol';
import type { InstanceSettings } from '../../config/config.ts';
import { SWEEP_BYTES } from './sweeps.ts';

/** Bytes waiting for a client that catches up, above which it has to read first; thousands may do so at once. */
const CATCH_UP_BYTES = 64 * 1024;

/** The share of the bound on all waiting data that catching up may take, so that nobody is closed because of it. */
const CATCH_UP_PART = 1 / 8;

/** The bytes of an event's text besides its message. */
const EVENT_FRAME_BYTES = 1024;

/** The bytes that may wait for sockets. */
export interface SendBounds {
  /** The bytes that may wait for one socket before the runtime drops payloads. */
  readonly dropAboveBytes: number;
  /** The bytes that all streams together may publish before the sockets' buffers have to be checked. */
  readonly sweepAfterBytes: number;
  /** The bytes that may wait for a socket that is catching up, before it has to read. */
  readonly pauseAboveBytes: number;
  /** The bytes that may wait for all sockets together that are catching up. */
  readonly pauseAllAboveBytes: number;
}

/** The bounds that follow from the settings of the instance. */
export function sendBounds({ gateway, rest }: InstanceSettings): SendBounds {
  const { sendBufferBytes, sendBufferTotalBytes } = gateway;
  const largestEventBytes = maxMessageBytes(rest.messageLimit) + EVENT_FRAME_BYTES;
  // Between two sweeps a socket's buffer grows by at most what a sweep allows and one more event.
  const dropAboveBytes = 2 * (sendBufferBytes + SWEEP_BYTES + largestEventBytes);
  return {
    dropAboveBytes,
    // A socket may follow all streams, and one more event may be published before the socket is checked.
    sweepAfterBytes: dropAboveBytes - sendBufferBytes - largestEventBytes,
    // Even with one more event, no more waits than is allowed: catching up itself closes no client.
    pauseAboveBytes: Math.max(0, Math.min(CATCH_UP_BYTES, sendBufferBytes - largestEventBytes)),
    pauseAllAboveBytes: sendBufferTotalBytes * CATCH_UP_PART,
  };
}
