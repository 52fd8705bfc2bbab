import type { Id } from '@hearth/protocol';

/** The name of a stream, such as `lobby`. It is printable and has no spaces. */
export type StreamName = string;

/**
 * A note for those who keep events for clients that come back, beside the op of an event and the id in its data. No client is
 * sent it.
 */
export interface ReplayNote {
  /** Names in the event of what its readers may not see any more one day. */
  readonly names?: readonly string[];
  /** Names that must not be sent any more: kept events that have them are forgotten. */
  readonly hides?: readonly string[];
  /** The thing, of the same noun, of which the event shows something, and the member of its data that does. */
  readonly quotes?: { readonly id: string; readonly member: string };
  /** The values that such a member of other events has from now on, if it shows the thing that this event is about. */
  readonly quoted?: object;
}

/** An event as the bus carries it. The bus inspects no member; `d` is anything that JSON can hold. */
export interface BusEvent {
  readonly op: string;
  readonly d: object;
  readonly note?: ReplayNote;
}

/** An event to be appended to the journal, which keeps its data alone. */
export interface JournalEvent extends BusEvent {
  readonly note?: never;
}

/** An event to be published in a stream. */
export interface EventPublication {
  readonly stream: StreamName;
  readonly event: BusEvent;
}

/**
 * Whose access to a stream ends: that of one user, of everyone with a role, of everyone, or of all outside an audience. The bus
 * does not inspect an audience, which is anything that JSON can hold.
 */
export type AccessEnd =
  | { readonly user: Id }
  | { readonly role: Id }
  | { readonly everyone: true }
  /** Events that name what these do not see any more are forgotten, as with {@link ReplayNote.hides}. */
  | { readonly unless: object; readonly hides?: readonly string[] };

/** A control entry. It has a place in the order of its stream but no position, and it is not sent to clients. */
export interface EndPublication {
  readonly stream: StreamName;
  readonly end: AccessEnd;
}

/** An event or a control entry, as it is published in a stream. */
export type Publication = EventPublication | EndPublication;

/** A position in a stream. Positions of one epoch grow by one; positions of two epochs cannot be compared. */
export interface StreamPosition {
  readonly epoch: string;
  /** The position of the newest event, 0 before the first. */
  readonly position: number;
}

/** An event with its position. */
export interface EventDelivery extends EventPublication, StreamPosition {}

/** An event or a control entry, as followers receive it. */
export type Delivery = EventDelivery | EndPublication;

/** An event or a control entry that was published before the follower subscribed. */
export interface KeptDelivery {
  readonly delivery: Delivery;
  readonly ageMs: number;
}

/** The positions of all streams. They stay up to date if every delivered event is noted. */
export interface Heads {
  /** The position of a stream, even if nothing was published in it. */
  at(stream: StreamName): StreamPosition;

  /** Notes the position of an event. */
  set(stream: StreamName, at: StreamPosition): void;
}

/** The point at which a follower's deliveries start. */
export interface BusStart {
  /** The position of every stream. The object belongs to the follower, which may keep it up to date. */
  readonly heads: Heads;
  /**
   * Deliveries that the bus still keeps from before that point, oldest first: events without a gap in any stream, and
   * the control entries between them, because these may hide earlier events.
   */
  readonly kept: readonly KeptDelivery[];
}

/** Receives everything that is published. If it throws, the other followers still receive the publication. */
export interface BusFollower {
  /**
   * Receives the positions of all streams: once before the first delivery, and again if deliveries were missed or lost.
   * Nothing is delivered twice.
   */
  begin(start: BusStart): void;

  /**
   * Receives the next delivery. A returned promise applies back-pressure until it settles: the bus within one process
   * makes the publisher wait, the shared bus stops reading for this follower.
   */
  take(delivery: Delivery): Promise<void> | void;
}

/** A follower's place in the order of publications. */
export interface Subscription {
  /**
   * Resolves when the follower has received everything that any process published before the call; returns undefined if
   * it already has. Rejects if that is not known within 2.5 s.
   */
  current(): Promise<void> | undefined;

  /** Removes the follower. */
  unsubscribe(): void;
}

/** The place of a publication among those of its subject, such as a channel. Numbers grow by one from 1. */
export interface SubjectNumber {
  readonly subject: string;
  readonly number: number;
  /**
   * Says that everything up to this number was published or never will be. The bus trusts the caller, so that it can
   * continue if it does not know the subject, or if it missed publications while the instance ran without it.
   */
  readonly after?: number | undefined;
}

/** The result of a numbered publication. */
export type Verdict =
  | { readonly state: 'taken' }
  /** It was already published. */
  | { readonly state: 'had' }
  /** Publications are missing between `last`, the newest one, and this one. */
  | { readonly state: 'missing'; readonly last: number }
  /** The bus does not know the subject, or has forgotten it, and {@link SubjectNumber.after} was not given. */
  | { readonly state: 'unknown' };

/** The result of an append with a key. */
export interface Appended {
  readonly id: Id;
  /** False if it is the identifier of an event that was appended with the key before. */
  readonly isNew: boolean;
}

/** An event that was appended with a key. */
export interface AppendedKey {
  readonly key: string;
  readonly id: Id;
}

/** Bounds on the events that are kept for clients that resume. The bound that is reached first applies. */
export interface ReplayBounds {
  readonly events: number;
  readonly minutes: number;
  readonly bytes: number;
}

/** The numbers of things that a bus remembers; the same in all processes. */
export interface MostRemembered {
  readonly streams: number;
  readonly subjects: number;
  readonly keys?: number;
}

/** The time in milliseconds for which the key of an append is remembered. */
export const KEY_REMEMBERED_MS = 600_000;

/**
 * Delivers publications from the features to the gateways in one total order. After it has begun, every follower
 * receives every publication once, and events with their position in the stream. An epoch ends if positions could be
 * missed or repeated: for example when the process of the embedded engine ends, or when the bus forgets the stream. The
 * bus remembers a bounded number of streams and forgets the least recently used. It knows no feature.
 */
export interface Bus extends AsyncDisposable {
  /**
   * Places a publication in the order, and returns or resolves when that is done. Every follower will receive it;
   * publications of one caller keep the order of the calls. If this throws or rejects, the publication has no place,
   * unless the bus became unreachable at that moment. Throws after disposal.
   */
  publish(publication: Publication): void | Promise<unknown>;

  /**
   * Publishes an event in the one stream that has a journal. In the same step the event gets an identifier in `d.id`
   * and is appended to the journal. Identifiers grow in the order of these publications, over all epochs. The bus never
   * forgets this stream. Returns or resolves with the identifier. Throws like {@link publish}.
   */
  append(event: JournalEvent): Id | Promise<Id>;

  /**
   * Appends an event, unless one was appended with this key in the last ten minutes: then nothing is published, and the
   * result is that event. Of several calls at once, in any processes, one publishes. The keys that the bus remembers
   * are bounded: if there are too many, it forgets the oldest.
   */
  appendOnce(event: JournalEvent, key: string): Appended | Promise<Appended>;

  /**
   * Publishes only the publication that follows the last one of its subject, and returns the result. Throws like {@link
   * publish}.
   */
  publishNext(publication: Publication, place: SubjectNumber): Verdict | Promise<Verdict>;

  /** Adds a follower. Its `begin` is called before this returns or resolves. */
  subscribe(follower: BusFollower): Subscription | Promise<Subscription>;
}
