import { formatId } from '@hearth/protocol';
import type { Bus, BusFollower, Delivery, StreamPosition } from '../../src/ports/bus/bus.ts';

/** A delivery at this place, whose message is its position. */
export function deliveryAt({ epoch, position }: StreamPosition, createdAt = Date.now()): Delivery {
  const id = formatId({ seconds: 1, instanceId: 1, sequence: position });
  const d = { id, author: 'ada', content: String(position), created_at: createdAt };
  return { audience: 'everyone', epoch, position, event: { op: 'MESSAGE_CREATE', d } };
}

/** A bus whose stream the test tells. */
export class StagedBus implements Bus {
  readonly #at: StreamPosition;
  readonly #kept: readonly Delivery[];
  #follower: BusFollower | undefined;
  /** What a follower is told that asks whether it is current. */
  onCurrent: () => Promise<void> | undefined = () => undefined;

  constructor(at: StreamPosition, kept: readonly Delivery[] = []) {
    this.#at = at;
    this.#kept = kept;
  }

  /** The one that follows. */
  get follower(): BusFollower {
    if (this.#follower === undefined) throw new Error('nobody follows');
    return this.#follower;
  }

  publish(): never {
    throw new Error('nobody publishes here');
  }

  async subscribe(follower: BusFollower) {
    this.#follower = follower;
    follower.begin({ at: this.#at, kept: this.#kept });
    return { current: () => this.onCurrent(), unsubscribe: () => {} };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
