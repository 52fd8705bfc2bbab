import type { StreamAccess } from '../../gateway-host.ts';
import type {
  BusStart,
  EventDelivery,
  Heads,
  StreamName,
  StreamPosition,
} from '../../ports/bus/bus.ts';
import type { ConnectionSocket } from './connection.ts';
import type { Replay, ReplayBuffer } from './replay-buffer.ts';

/** A stream that has followers here, or of which events are kept. */
export interface LiveStream {
  readonly name: StreamName;
  readonly buffer: ReplayBuffer;
  /** Why its followers may follow it; undefined for clients that follow the lobby without asking. */
  readonly followers: Map<ConnectionSocket, StreamAccess | undefined>;
  /** The number of sockets that follow it by name. */
  named: number;
  /** The bytes that were published since its followers' buffers were last checked. */
  bytesSinceSweep: number;
}

/** The positions up to which clients were sent all streams, and the streams that have followers. */
export class LiveStreams {
  readonly #replay: Replay;
  readonly #live = new Map<StreamName, LiveStream>();
  #heads: Heads;

  constructor(replay: Replay, heads: Heads) {
    this.#replay = replay;
    this.#heads = heads;
  }

  /** Starts again: nothing from before is kept. */
  begin({ heads }: BusStart): void {
    this.#heads = heads;
    for (const [name, { buffer }] of this.#live) buffer.begin(heads.at(name));
  }

  /** The position up to which clients were sent a stream. */
  headOf(name: StreamName): StreamPosition {
    return this.#heads.at(name);
  }

  /** Returns whether clients can be sent everything after this point of a stream. */
  hasAllAfter(name: StreamName, at: StreamPosition): boolean {
    const live = this.#live.get(name);
    if (live !== undefined) return live.buffer.hasAllAfter(at);
    const { epoch, position } = this.#heads.at(name);
    return at.epoch === epoch && at.position === position;
  }

  get(name: StreamName): LiveStream | undefined {
    return this.#live.get(name);
  }

  /** The stream of this name, which is live from now on. */
  open(name: StreamName, head = this.#heads.at(name)): LiveStream {
    const known = this.#live.get(name);
    if (known !== undefined) return known;
    const buffer = this.#replay.open(head);
    const live = { name, buffer, followers: new Map(), named: 0, bytesSinceSweep: 0 };
    this.#live.set(name, live);
    return live;
  }

  /** Notes the next event of its stream. */
  take(delivery: EventDelivery): LiveStream {
    const { stream } = delivery;
    const live = this.#live.get(stream) ?? this.open(stream);
    this.#heads.set(stream, delivery);
    return live;
  }

  /** Removes streams that have no followers and no kept events, except `kept`. */
  clear(kept: LiveStream): void {
    for (const [name, live] of this.#live) {
      const isUsed = live.followers.size > 0 || live.bytesSinceSweep > 0 || !live.buffer.isEmpty;
      if (!isUsed && live !== kept) this.#live.delete(name);
    }
  }
}
