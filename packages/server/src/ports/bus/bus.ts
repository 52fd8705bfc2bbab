import type { LobbyMessage } from '@hearth/protocol';

/** What happened, as every gateway is told; each client gets it in the form of its profile. */
export interface BusEvent {
  readonly op: 'MESSAGE_CREATE';
  readonly d: LobbyMessage & { readonly nonce?: string | undefined };
}

/** An event before it has its identifier, which the bus gives it in the order of publications. */
export interface EventDraft {
  readonly op: BusEvent['op'];
  readonly d: Omit<BusEvent['d'], 'id'>;
}

/** An event on its way to its audience. */
export interface Publication {
  readonly audience: 'everyone';
  readonly event: EventDraft;
}

/** A publication in its place: positions of one epoch grow by one, and those of two epochs cannot be compared. */
export interface Delivery {
  readonly audience: Publication['audience'];
  readonly event: BusEvent;
  readonly epoch: string;
  readonly position: number;
}

/** Where a stream is: the position of its newest publication, 0 before the first. */
export type StreamPosition = Pick<Delivery, 'epoch' | 'position'>;

/** From where a follower is handed deliveries. */
export interface StreamStart {
  readonly at: StreamPosition;
  /** What the bus still keeps of what was published up to there, oldest first, without a gap. */
  readonly kept: readonly Delivery[];
}

/** Who is told of everything that is published. What it throws is its own affair: others are still served. */
export interface BusFollower {
  /**
   * Tells where the stream is: once before the first delivery, and again whenever deliveries do not go on from the last
   * one, because they are of another epoch or some were missed. Nothing is handed over twice.
   */
  begin(start: StreamStart): void;

  /**
   * Takes the next delivery. A returned promise holds back what comes behind it until it is settled: the publisher where
   * the bus is within one process, or else what hands on to this follower.
   */
  take(delivery: Delivery): Promise<void> | void;
}

/** A follower's place in the stream. */
export interface Subscription {
  /**
   * Resolves when everything that was published before the call, by any process, was handed to the follower; undefined
   * where that is so already. Rejects when that cannot be known within 2.5 s.
   */
  current(): Promise<void> | undefined;

  /** Removes the follower. */
  unsubscribe(): void;
}

/**
 * Fan-out from verbs to gateways, in one total order: every follower is handed every publication that has its place
 * behind the follower's beginning, once, with its position. Identifiers grow in the same order, over all epochs. An
 * epoch ends where positions could be missed or repeated, such as with the process of the embedded engine.
 */
export interface Bus extends AsyncDisposable {
  /**
   * Gives the publication its place and its identifier, and returns or resolves then: it will be handed to every
   * follower, and those of one caller in the order of its calls. It has no place where this throws or rejects, unless
   * the bus became unreachable just then. Throws after disposal.
   */
  publish(publication: Publication): void | Promise<void>;

  /** Adds a follower, which is told where the stream is before this returns or resolves. */
  subscribe(follower: BusFollower): Subscription | Promise<Subscription>;
}
