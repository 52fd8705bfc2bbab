import type { Id } from '@hearth/protocol';
import type { StreamsSince } from '../../gateway-host.ts';
import type { AccessEnd, StreamName, StreamPosition } from '../../ports/bus/bus.ts';

/** The events in all streams since a point. */
export class Since implements StreamsSince {
  readonly #headOf: (stream: StreamName) => StreamPosition;
  readonly #onDispose: (since: Since) => void;
  /** The points of streams before the first event since. */
  readonly #heads = new Map<StreamName, StreamPosition>();
  /** Whose access to streams has ended. */
  readonly #ends = new Map<StreamName, Set<Id> | 'anyone'>();
  #isBroken = false;

  constructor(headOf: (stream: StreamName) => StreamPosition, onDispose: (since: Since) => void) {
    [this.#headOf, this.#onDispose] = [headOf, onDispose];
  }

  /** The position of a stream at the point. */
  placeOf(stream: StreamName): StreamPosition {
    return this.#heads.get(stream) ?? this.#headOf(stream);
  }

  /** Returns whether the access of a user to one of these streams may have ended since. */
  mayHaveEnded(streams: readonly StreamName[], user: Id | undefined): boolean {
    if (this.#isBroken) return true;
    return streams.some((stream) => {
      const ended = this.#ends.get(stream);
      if (ended === undefined || ended === 'anyone') return ended !== undefined;
      return user !== undefined && ended.has(user);
    });
  }

  /** Notes an event that comes after this position of its stream. */
  note(stream: StreamName, before: StreamPosition): void {
    if (!this.#heads.has(stream)) this.#heads.set(stream, before);
  }

  end(stream: StreamName, end: AccessEnd): void {
    const ended = this.#ends.get(stream);
    if (!('user' in end)) this.#ends.set(stream, 'anyone');
    else if (ended === undefined) this.#ends.set(stream, new Set([end.user]));
    else if (ended !== 'anyone') ended.add(end.user);
  }

  /** Notes that the streams start again. */
  break(): void {
    this.#isBroken = true;
  }

  [Symbol.dispose](): void {
    this.#onDispose(this);
  }
}
