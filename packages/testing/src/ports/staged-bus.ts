import { formatId, LOBBY_STREAM } from '@hearth/protocol';
import type {
  Bus,
  BusFollower,
  BusStart,
  EventDelivery,
  StreamPosition,
} from '../../../server/src/ports/bus/bus.ts';
import { StreamHeads } from '../../../server/src/ports/bus/stream-heads.ts';

/** A delivery at this place, whose message is its position. */
export function deliveryAt(
  { epoch, position }: StreamPosition,
  createdAt = Date.now(),
): StagedDelivery {
  const id = formatId({ seconds: 1, instanceId: 1, sequence: position });
  const d = { id, author: 'ada', content: String(position), created_at: createdAt };
  return { stream: LOBBY_STREAM, epoch, position, event: { op: 'MESSAGE_CREATE', d }, createdAt };
}

/** A delivery, and when it was made. */
type StagedDelivery = EventDelivery & { readonly createdAt: number };

/** A beginning with the lobby at this place. */
export function startAt(at: StreamPosition, kept: readonly StagedDelivery[] = []): BusStart {
  const heads = new StreamHeads({ epoch: at.epoch, journaled: LOBBY_STREAM });
  heads.set(LOBBY_STREAM, at);
  const now = Date.now();
  return {
    heads,
    kept: kept.map((delivery) => ({ delivery, ageMs: now - delivery.createdAt })),
  };
}

/** A bus whose stream the test scripts. */
export class StagedBus implements Bus {
  readonly #at: StreamPosition;
  readonly #kept: readonly StagedDelivery[];
  #follower: BusFollower | undefined;
  /** The answer to a follower that checks if it is current. */
  onCurrent: () => Promise<void> | undefined = () => undefined;

  constructor(at: StreamPosition, kept: readonly StagedDelivery[] = []) {
    this.#at = at;
    this.#kept = kept;
  }

  /** The follower. */
  get follower(): BusFollower {
    if (this.#follower === undefined) throw new Error('nobody follows');
    return this.#follower;
  }

  publish(): never {
    throw new Error('a staged bus does not publish');
  }

  append(): never {
    throw new Error('nobody posts here');
  }

  appendOnce(): never {
    throw new Error('nobody posts here');
  }

  publishNext(): never {
    throw new Error('a staged bus does not publish');
  }

  async subscribe(follower: BusFollower) {
    this.#follower = follower;
    follower.begin(startAt(this.#at, this.#kept));
    return { current: () => this.onCurrent(), unsubscribe: () => {} };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
