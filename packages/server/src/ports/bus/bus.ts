import type { LobbyMessage } from '@hearth/protocol';

/** What happened, as every gateway is told; each client gets it in the form of its profile. */
export interface BusEvent {
  readonly op: 'MESSAGE_CREATE';
  readonly d: LobbyMessage & { readonly nonce?: string | undefined };
}

/** An event on its way to its audience. */
export interface Publication {
  readonly audience: 'everyone';
  readonly event: BusEvent;
}

/** A publication in its place: positions of one epoch grow by one, and those of two epochs cannot be compared. */
export interface Delivery extends Publication {
  readonly epoch: string;
  readonly position: number;
}

/** Where a stream is: the position of its newest publication, 0 before the first. */
export type StreamPosition = Pick<Delivery, 'epoch' | 'position'>;

/** Takes a delivery; a returned promise holds back the publisher until it is settled. */
export type BusListener = (delivery: Delivery) => Promise<void> | void;

/**
 * Fan-out from verbs to gateways, in one total order: every listener sees every publication that follows its
 * subscription, once, in the order in which `publish` was called, with its position. Live only: nothing is kept for
 * later. An epoch ends where positions could be missed or repeated, such as with the process of the embedded engine.
 */
export interface Bus extends AsyncDisposable {
  /**
   * Hands the publication to every listener of this process; where one takes its time, the promise resolves when it
   * has taken it, not when clients have received it. Throws after disposal.
   */
  publish(publication: Publication): void | Promise<void>;

  /**
   * Adds a listener, to be handed what follows the stream's present position, and returns what removes it. A listener
   * that throws is its own affair: others are still served.
   */
  subscribe(listener: BusListener): Subscription;
}

/** A listener's place in the stream. */
export interface Subscription {
  /** Where the stream was when the listener was added. */
  readonly startedAt: StreamPosition;
  /** Removes the listener. */
  unsubscribe(): void;
}
