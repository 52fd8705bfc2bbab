import type { Place } from '../conversation/conversation.ts';
import type { UnknownEvent } from './link-options.ts';
import type { Opening } from './opening.ts';

/** The beginning of a connection of profile 2. */
export type AccountOpening = Extract<Opening, { profile: 2 }>;

/** Takes what a gateway of profile 2 sends and the lobby and the account do not read. */
export interface StreamsListener {
  opened(opening: AccountOpening): void;
  /** An event; its stream is at its position now. */
  event(event: UnknownEvent): void;
  streamOpened(stream: string, place: Place): void;
  streamClosed(stream: string): void;
  /** The last payload of the client was ignored. */
  limited(retryAfterMs: number): void;
  /** The connection is away. */
  left(): void;
  /** Somebody else is signed in, or nobody. */
  forgotten(): void;
}

type Notice = (listener: StreamsListener) => void;

/**
 * The number of events that wait until somebody reads them. Those who come later than that read again what they show.
 */
const MOST_KEPT = 1_000;

/**
 * Passes on what other parts of this library read, which may be loaded later: what has come since the last READY is kept until
 * then.
 */
export class OtherStreams implements StreamsListener {
  readonly #places: () => ReadonlyMap<string, Place>;
  #listener: StreamsListener | undefined;
  #kept: Notice[] = [];
  #opening: AccountOpening | undefined;
  #isOverfull = false;

  /** `places` are those that the client has reached. */
  constructor(places: () => ReadonlyMap<string, Place>) {
    this.#places = places;
  }

  /** Gives `listener` what has come before, and from now on everything. */
  attach(listener: StreamsListener): void {
    this.#listener = listener;
    const kept = this.#kept;
    this.#kept = [];
    if (!this.#isOverfull) {
      for (const notice of kept) notice(listener);
    } else if (this.#opening !== undefined) {
      const places = this.#places();
      listener.opened(this.#opening);
      listener.opened({ ...this.#opening, places, ready: undefined, lost: [...places.keys()] });
    }
  }

  opened(opening: AccountOpening): void {
    if (opening.ready !== undefined) {
      this.#kept = [];
      this.#opening = opening;
      this.#isOverfull = false;
    }
    this.#note((listener) => listener.opened(opening));
  }

  event(event: UnknownEvent): void {
    this.#note((listener) => listener.event(event));
  }

  streamOpened(stream: string, place: Place): void {
    this.#note((listener) => listener.streamOpened(stream, place));
  }

  streamClosed(stream: string): void {
    this.#note((listener) => listener.streamClosed(stream));
  }

  limited(retryAfterMs: number): void {
    this.#listener?.limited(retryAfterMs);
  }

  left(): void {
    this.#note((listener) => listener.left());
  }

  forgotten(): void {
    this.#kept = [];
    this.#opening = undefined;
    this.#isOverfull = false;
    this.#listener?.forgotten();
  }

  #note(notice: Notice): void {
    if (this.#listener !== undefined) return notice(this.#listener);
    // Without READY, nothing can be made of the rest.
    if (this.#opening === undefined) return;
    this.#isOverfull ||= this.#kept.length >= MOST_KEPT;
    if (this.#isOverfull) this.#kept = [];
    else this.#kept.push(notice);
  }
}
