import type { Id } from '@hearth/protocol';

/** Names a stream, such as `lobby`: printable, without spaces. */
export type StreamName = string;

/** An event as the bus carries it. The bus looks into neither; `d` is whatever JSON can hold. */
export interface BusEvent {
  readonly op: string;
  readonly d: object;
}

/** An event on its way into a stream. */
export interface EventPublication {
  readonly stream: StreamName;
  readonly event: BusEvent;
}

/** Whose access to a stream ends: that of a user, of everyone who has a role, or everyone's. */
export type AccessEnd = { readonly user: Id } | { readonly role: Id } | { readonly everyone: true };

/** A control entry: it has a place in the order of its stream and no position, and no client is sent it. */
export interface EndPublication {
  readonly stream: StreamName;
  readonly end: AccessEnd;
}

/** What enters a stream. */
export type Publication = EventPublication | EndPublication;

/** Where a stream is: positions of one epoch grow by one, and those of two epochs cannot be compared. */
export interface StreamPosition {
  readonly epoch: string;
  /** That of the newest event, 0 before the first. */
  readonly position: number;
}

/** An event in its place. */
export interface EventDelivery extends EventPublication, StreamPosition {}

/** What followers are handed. */
export type Delivery = EventDelivery | EndPublication;

/** An event that was published before a follower came. */
export interface KeptEvent {
  readonly delivery: EventDelivery;
  readonly ageMs: number;
}

/** The positions of all streams. They stay up to date if every delivered event is noted. */
export interface Heads {
  /** The position of a stream, even if nothing was published in it. */
  at(stream: StreamName): StreamPosition;

  /** Notes an event's place. */
  set(stream: StreamName, at: StreamPosition): void;
}

/** From where a follower is handed deliveries. */
export interface BusStart {
  /** Where every stream is. It belongs to the follower, which may keep it up to date. */
  readonly heads: Heads;
  /** What the bus still keeps of what was published up to there, oldest first and without a gap in any stream. */
  readonly kept: readonly KeptEvent[];
}

/** Receives everything that is published. If it throws, the other followers are served all the same. */
export interface BusFollower {
  /**
   * Receives the positions of all streams: once before the first delivery, and again whenever some deliveries were missed
   * or lost. Nothing is handed over twice.
   */
  begin(start: BusStart): void;

  /**
   * Takes the next delivery. A returned promise holds back what follows until it is settled: the publisher if the bus
   * is within one process, or else what hands on to this follower.
   */
  take(delivery: Delivery): Promise<void> | void;
}

/** A follower's place in the order of publications. */
export interface Subscription {
  /**
   * Resolves when everything that was published before the call, by any process, was handed to the follower; undefined
   * if that is so already. Rejects if that cannot be known within 2.5 s.
   */
  current(): Promise<void> | undefined;

  /** Removes the follower. */
  unsubscribe(): void;
}

/** A publication's place among those of its subject, such as a channel: numbers grow by one from 1. */
export interface SubjectNumber {
  readonly subject: string;
  readonly number: number;
  /**
   * Everything up to this number was published, or never will be. The bus believes it, so that it goes on if it does not
   * know the subject, or has missed what was published while the instance ran without it.
   */
  readonly after?: number | undefined;
}

/** What became of a numbered publication. */
export type Verdict =
  | { readonly state: 'taken' }
  /** It was published before. */
  | { readonly state: 'had' }
  /** Publications are missing between `last`, the newest that was published, and this one. */
  | { readonly state: 'missing'; readonly last: number }
  /** The bus does not know the subject, or has forgotten it, and {@link SubjectNumber.after} was not given. */
  | { readonly state: 'unknown' };

/**
 * Fan-out from verbs to gateways, in one total order: every follower is handed every publication after the follower's
 * beginning once, and events with the position in their stream. An epoch ends if positions could be missed or repeated,
 * such as with the process of the embedded engine, and if the bus forgets the stream: it remembers a bounded number of
 * them, and forgets the least recently used. It knows no feature.
 */
export interface Bus extends AsyncDisposable {
  /**
   * Gives the publication its place, and returns or resolves then: it will be handed to every follower, and those of
   * one caller in the order of its calls. It has no place if this throws or rejects, unless the bus became unreachable
   * just then. Throws after disposal.
   */
  publish(publication: Publication): void | Promise<unknown>;

  /**
   * The same for an event of the one stream that has a journal, in one step with giving it an identifier in `d.id` and
   * appending it to the journal. Identifiers grow in the order of these publications, over all epochs. The bus never
   * forgets this stream.
   */
  append(event: BusEvent): void | Promise<unknown>;

  /** Publishes only what follows the last publication of its subject, and answers whether it did. Throws likewise. */
  publishNext(publication: Publication, place: SubjectNumber): Verdict | Promise<Verdict>;

  /** Adds a follower. Its `begin` is called before this returns or resolves. */
  subscribe(follower: BusFollower): Subscription | Promise<Subscription>;
}
