import type { Clock } from '../../clock.ts';
import type { ConnectionSocket } from './connection.ts';
import type { ReplayBuffer } from './replay-buffer.ts';

/** What all who are behind are sent in one turn of the event loop, and what one of them is sent at a time. */
const EVENTS_A_TURN = 2_048;
const EVENTS_AT_A_TIME = 128;

/** The same in UTF-16 units: a millisecond or two. */
const LENGTH_A_TURN = 512 * 1024;
const LENGTH_AT_A_TIME = 32 * 1024;

/** How long a client that has to read first may take for it. */
const UNREAD_MS = 30_000;

/** What the catch-up needs of the gateway. */
export interface CatchUpOptions {
  readonly replay: Pick<ReplayBuffer, 'head' | 'at'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** What waits for a socket when it is sent no more before it has read, in bytes. */
  readonly pauseAboveBytes: number;
  /** Lets a socket follow the stream that is at its place now. */
  readonly follow: (socket: ConnectionSocket) => void;
  /** Closes a socket for which nothing can be done: it fell behind what is kept. */
  readonly giveUp: (socket: ConnectionSocket) => void;
  /** Calls back when the runtime has served everyone else. */
  readonly nextTurn: (run: () => void) => void;
}

/** Where a client is that catches up. */
interface Place {
  /** Position of the last event that it was sent. */
  position: number;
  /** Since when it has to read before it is sent more, in monotonic milliseconds. */
  pausedAt: number | undefined;
}

/**
 * Sends clients that resumed what they missed, until they are where the stream is and follow it. Each is sent no more
 * than it reads, all together a bounded part of every turn of the event loop, and nobody anything out of order or in
 * parts: a client that falls behind what is kept is closed.
 */
export class CatchUp {
  readonly #options: CatchUpOptions;
  readonly #places = new Map<ConnectionSocket, Place>();
  /** Those that are to be sent more, in turn; the others have to read first. */
  #ready = new Set<ConnectionSocket>();
  #isScheduled = false;

  constructor(options: CatchUpOptions) {
    this.#options = options;
  }

  /** Begins with a socket that has every event up to `position`; one that has all follows at once. */
  begin(socket: ConnectionSocket, position: number): void {
    const { replay, follow } = this.#options;
    if (position === replay.head.position) return follow(socket);
    this.#places.set(socket, { position, pausedAt: undefined });
    this.#goOn(socket);
  }

  /** Goes on with a socket that has read, if it is behind. */
  resume(socket: ConnectionSocket): void {
    const place = this.#places.get(socket);
    if (place === undefined) return;
    place.pausedAt = undefined;
    this.#goOn(socket);
  }

  /** Ends with a socket. */
  end(socket: ConnectionSocket): void {
    this.#places.delete(socket);
    this.#ready.delete(socket);
  }

  /** Gives up those that do not read, or fell behind what is kept. To be called now and then. */
  giveUpLate(): void {
    const { replay, clock, giveUp } = this.#options;
    const unreadSince = clock.monotonicMs() - UNREAD_MS;
    for (const [socket, { position, pausedAt = Infinity }] of this.#places) {
      const isLost = position < replay.head.position && replay.at(position + 1) === undefined;
      if (isLost || pausedAt < unreadSince) giveUp(socket);
    }
  }

  #goOn(socket: ConnectionSocket): void {
    this.#ready.add(socket);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#options.nextTurn(() => this.#takeTurn());
  }

  #takeTurn(): void {
    this.#isScheduled = false;
    let left = 1;
    for (const socket of this.#ready) {
      if (left <= 0) break;
      this.#ready.delete(socket);
      left -= this.#feed(socket);
    }
    const [next] = this.#ready;
    if (next !== undefined) this.#goOn(next);
  }

  /** Sends a socket what it can take, and tells what share of the turn that was. */
  #feed(socket: ConnectionSocket): number {
    const place = this.#places.get(socket);
    if (place === undefined) return 0;
    const { replay, clock, follow, giveUp, pauseAboveBytes } = this.#options;
    let [events, length, isMissing] = [0, 0, false];
    socket.cork(() => {
      while (
        place.position < replay.head.position &&
        events < EVENTS_AT_A_TIME &&
        length < LENGTH_AT_A_TIME &&
        socket.getBufferedAmount() <= pauseAboveBytes
      ) {
        const text = replay.at(place.position + 1);
        isMissing = text === undefined;
        if (text === undefined) return;
        socket.send(text);
        place.position += 1;
        events += 1;
        length += text.length;
      }
    });
    if (isMissing) {
      this.end(socket);
      giveUp(socket);
    } else if (place.position === replay.head.position) {
      this.end(socket);
      follow(socket);
    } else {
      const mustRead = socket.getBufferedAmount() > pauseAboveBytes;
      place.pausedAt = mustRead ? (place.pausedAt ?? clock.monotonicMs()) : undefined;
      // It tells when it has read.
      if (!mustRead) this.#ready.add(socket);
    }
    return Math.max(1 / EVENTS_A_TURN, events / EVENTS_A_TURN, length / LENGTH_A_TURN);
  }
}
