import type { ConnectionSocket } from './connection.ts';
import type { ReplayBuffer } from './replay-buffer.ts';

/** Events that all who are behind are sent in one turn of the event loop, and that one of them is sent at a time. */
const EVENTS_A_TURN = 2_048;
const EVENTS_AT_A_TIME = 128;

/** What the catch-up needs of the gateway. */
export interface CatchUpOptions {
  readonly replay: Pick<ReplayBuffer, 'head' | 'at'>;
  /** What waits for a socket when it is sent no more before it has read, in bytes. */
  readonly pauseAboveBytes: number;
  /** Lets a socket follow the stream that is at its place now. */
  readonly follow: (socket: ConnectionSocket) => void;
  /** Closes a socket for which nothing can be done: it fell behind what is kept. */
  readonly giveUp: (socket: ConnectionSocket) => void;
  /** Calls back when the runtime has served everyone else. */
  readonly nextTurn: (run: () => void) => void;
}

/**
 * Sends clients that resumed what they missed, until they are where the stream is and follow it. Each is sent no more
 * than it reads, all together a bounded part of every turn of the event loop, and nobody anything out of order or in
 * parts: a client that falls behind what is kept is closed.
 */
export class CatchUp {
  readonly #options: CatchUpOptions;
  /** Position of the last event that each was sent. */
  readonly #places = new Map<ConnectionSocket, number>();
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
    this.#places.set(socket, position);
    this.#goOn(socket);
  }

  /** Goes on with a socket that has read, if it is behind. */
  resume(socket: ConnectionSocket): void {
    if (this.#places.has(socket)) this.#goOn(socket);
  }

  /** Ends with a socket. */
  end(socket: ConnectionSocket): void {
    this.#places.delete(socket);
    this.#ready.delete(socket);
  }

  /** Gives up those that fell behind what is kept while they did not read. To be called now and then. */
  giveUpLate(): void {
    const { replay, giveUp } = this.#options;
    for (const [socket, place] of this.#places) {
      if (place < replay.head.position && replay.at(place + 1) === undefined) giveUp(socket);
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
    let left = EVENTS_A_TURN;
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
    const begin = this.#places.get(socket);
    if (begin === undefined) return 0;
    const { replay, follow, giveUp, pauseAboveBytes } = this.#options;
    let place = begin;
    let isMissing = false;
    socket.cork(() => {
      while (place < replay.head.position && place - begin < EVENTS_AT_A_TIME) {
        if (socket.getBufferedAmount() > pauseAboveBytes) return;
        const text = replay.at(place + 1);
        isMissing = text === undefined;
        if (text === undefined) return;
        socket.send(text);
        place += 1;
      }
    });
    if (isMissing) {
      this.end(socket);
      giveUp(socket);
    } else if (place === replay.head.position) {
      this.end(socket);
      follow(socket);
    } else {
      this.#places.set(socket, place);
      // It tells when it has read.
      if (socket.getBufferedAmount() <= pauseAboveBytes) this.#ready.add(socket);
    }
    return Math.max(1, place - begin);
  }
}
