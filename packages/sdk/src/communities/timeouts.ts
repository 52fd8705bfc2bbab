import type { Id, Membership } from '@hearth/protocol';
import type { SdkClock } from '../clock.ts';

/** When a time-out is looked at again that should have ended. */
const AGAIN_AFTER_MS = 5_000;

/** Reports when the person's time-outs in communities end, because no event does. */
export class Timeouts {
  readonly #clock: SdkClock;
  readonly #onEnd: (communityId: Id) => void;
  readonly #stops = new Map<Id, () => void>();

  constructor(clock: SdkClock, onEnd: (communityId: Id) => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  /** The membership of a community is this now. */
  watch(communityId: Id, { timed_out_until: endsAtMs }: Membership): void {
    this.forget(communityId);
    if (endsAtMs === undefined) return;
    const restMs = endsAtMs - this.#clock.now();
    // If it should have ended, our clock is fast.
    const delayMs = restMs > 0 ? restMs + 1 : AGAIN_AFTER_MS;
    this.#stops.set(
      communityId,
      this.#clock.after(delayMs, () => this.#onEnd(communityId)),
    );
  }

  forget(communityId: Id): void {
    this.#stops.get(communityId)?.();
    this.#stops.delete(communityId);
  }

  clear(): void {
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
  }
}
