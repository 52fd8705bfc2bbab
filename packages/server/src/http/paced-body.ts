import { ValidationError } from '@hearth/protocol';
import type { Clock } from '../lib/clock.ts';
import type { Peer } from '../runtime/peer.ts';

/** The time that an upload may pause without a break: twice what FS15 promises, because the runtime counts coarsely. */
const PAUSE_SECONDS = 120;

/** The time that an upload may pause in total, in addition to the time that a very slow line needs. */
const GRACE_MS = 10 * 60_000;
const LEAST_BYTES_PER_SECOND = 1_000;

export interface PacedBodyOptions {
  readonly clock: Clock;
  readonly peer: Peer;
}

/**
 * The chunks of an upload. It may pause and be slow, but not hold its connection for ever. Each chunk can be read
 * until the next one is requested. Throws ValidationError if the upload is slower than that (File service rule FS15 of
 * docs/spec).
 */
export async function* pacedBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { clock, peer }: PacedBodyOptions,
): AsyncGenerator<Uint8Array> {
  const startedAt = clock.monotonicMs();
  let bytes = 0;
  for (;;) {
    // The runtime also judges a connection by its throughput, so each chunk must allow for the next one.
    peer.allowSilence(PAUSE_SECONDS);
    const chunk = await reader.read();
    if (chunk.done) return;
    bytes += chunk.value.byteLength;
    const allowedMs = GRACE_MS + (bytes / LEAST_BYTES_PER_SECOND) * 1_000;
    if (clock.monotonicMs() - startedAt > allowedMs) {
      throw new ValidationError(
        'body',
        `must arrive at ${LEAST_BYTES_PER_SECOND} bytes a second at least`,
      );
    }
    yield chunk.value;
    free(chunk.value);
  }
}

/**
 * Frees the memory of a chunk that is no longer needed. The garbage collector would take its time, because it hardly
 * counts what lies outside of its heap: tens of megabytes would pile up.
 */
function free({ buffer, byteLength }: Uint8Array): void {
  const isShared = !(buffer instanceof ArrayBuffer) || buffer.byteLength !== byteLength;
  if (!isShared) buffer.transfer(0);
}
