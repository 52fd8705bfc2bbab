import type { Id, LobbyMessage } from '@hearth/protocol';
import type { IdSource } from '../../context.ts';
import type { Bus, BusFollower, Delivery, Publication, Subscription } from './bus.ts';

/** What the embedded engine gives publications their places with. */
export interface MemoryBusOptions {
  readonly ids: Pick<IdSource, 'nextFor'>;
  /** Told of every message in the order of publications, before followers are. */
  readonly keep: (message: LobbyMessage) => void;
}

/**
 * The embedded engine: fan-out within this process. It hands on within `publish`, whose promise resolves when the
 * followers that take their time have taken it.
 */
export function memoryBus(options: MemoryBusOptions): Bus {
  return new MemoryBus(options);
}

/** A follower, as often as it was added. */
interface Following {
  readonly follower: BusFollower;
}

class MemoryBus implements Bus {
  readonly #options: MemoryBusOptions;
  /** Replaced rather than changed, so that a publication keeps to those who followed when it was made. */
  #following: readonly Following[] = [];
  readonly #waiting: (() => void)[] = [];
  /** Another one for every process, because what is published here does not survive it. */
  readonly #epoch = crypto.randomUUID();
  #position = 0;
  #isHanding = false;
  #isDisposed = false;

  constructor(options: MemoryBusOptions) {
    this.#options = options;
  }

  publish(publication: Publication): void | Promise<void> {
    if (this.#isDisposed) throw disposal();
    return this.#options.ids.nextFor((id) => this.#place(id, publication));
  }

  subscribe(follower: BusFollower): Subscription {
    const following: Following = { follower };
    this.#following = [...this.#following, following];
    follower.begin({ at: { epoch: this.#epoch, position: this.#position }, kept: [] });
    return {
      current: () => (this.#isHanding ? this.#handedOn() : undefined),
      unsubscribe: () => {
        this.#following = this.#following.filter((other) => other !== following);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    this.#following = [];
  }

  #place(id: Id, { audience, event }: Publication): Promise<void> | undefined {
    if (this.#isDisposed) throw disposal();
    const { author, content, created_at, nonce } = event.d;
    const message: LobbyMessage = { id, author, content, created_at };
    const d = nonce === undefined ? message : { ...message, nonce };
    this.#position += 1;
    this.#options.keep(message);
    return this.#inTurn({
      audience,
      event: { op: event.op, d },
      epoch: this.#epoch,
      position: this.#position,
    });
  }

  // What a follower publishes waits until every follower was handed what is under way.
  #inTurn(delivery: Delivery): Promise<void> | undefined {
    const present = this.#following;
    const waiting = this.#waiting;
    if (this.#isHanding) {
      return new Promise((resolve) => {
        waiting.push(() => resolve(this.#handOn(present, delivery)));
      });
    }
    this.#isHanding = true;
    const slow = this.#handOn(present, delivery);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) next();
    this.#isHanding = false;
    return slow;
  }

  /** Resolves when those who take their time have taken it; undefined where there are none. */
  #handOn(present: readonly Following[], delivery: Delivery): Promise<void> | undefined {
    let slow: Promise<void>[] | undefined;
    for (const following of present) {
      if (!this.#following.includes(following)) continue;
      const taken = hand(following.follower, delivery);
      if (taken !== undefined) (slow ??= []).push(taken);
    }
    return slow === undefined ? undefined : Promise.all(slow).then(() => {});
  }

  // Asked by a follower, of what waits.
  #handedOn(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

function disposal(): Error {
  return new Error('the bus is disposed');
}

// A follower's failure must neither reach the publisher nor keep the event from other followers: it reports its own.
function hand(follower: BusFollower, delivery: Delivery): Promise<void> | undefined {
  try {
    const taken = follower.take(delivery);
    return taken instanceof Promise ? taken.catch(() => {}) : undefined;
  } catch {
    return undefined;
  }
}
