import type { Clock } from '../../lib/clock.ts';
import type { ConnectionSocket } from './connection.ts';
import {
  isLost,
  isWaiting,
  targetOf,
  type CatchUpStream,
  type CatchUpPlace,
} from './catch-up-place.ts';

/**
 * The number of events that all clients that catch up are sent in one turn of the event loop, and that one of them is
 * sent at a time.
 */
const EVENTS_A_TURN = 2_048;
const EVENTS_AT_A_TIME = 128;

/** The length of these events in UTF-16 units: a millisecond or two. */
const LENGTH_A_TURN = 512 * 1024;
const LENGTH_AT_A_TIME = 32 * 1024;

/** The bytes that may wait for each client, however many catch up. */
const LEAST_SHARE_BYTES = 4 * 1024;

/** The time in which a client that has to read first has to do so. */
const UNREAD_MS = 30_000;

export interface CatchUpOptions<Stream extends CatchUpStream> {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Bytes waiting for a socket above which it is sent no more until it has read. */
  readonly pauseAboveBytes: number;
  /** Bytes that may wait for all that catch up together; each of them may always have {@link LEAST_SHARE_BYTES}. */
  readonly pauseAllAboveBytes: number;
  /** An event of a stream as this socket is sent it. */
  readonly textFor: (socket: ConnectionSocket, stream: Stream, text: string) => string;
  /** Lets a socket follow the stream that it has just caught up with. */
  readonly follow: (socket: ConnectionSocket, stream: Stream) => void;
  /** Removes a socket that was sent everything it may have of a stream. */
  readonly finish: (socket: ConnectionSocket, stream: Stream) => void;
  /** Closes a socket that has missed events which are no longer kept. */
  readonly giveUp: (socket: ConnectionSocket) => void;
  /** Calls back when the runtime has served everyone else. */
  readonly nextTurn: (run: () => void) => void;
}

/** A client that catches up, with one stream after another. */
interface Chase<Stream> {
  readonly places: CatchUpPlace<Stream>[];
  /** Since when it has had to read before it is sent more, in monotonic milliseconds. */
  pausedAt: number | undefined;
}

/**
 * Sends resumed clients what they missed, until they have caught up with each stream and follow it. A client is sent
 * no more than it reads. All clients together take a bounded part of every turn of the event loop. No client is sent
 * events out of order or with gaps: one that has missed events which are no longer kept is closed.
 */
export class CatchUp<Stream extends CatchUpStream> {
  readonly #options: CatchUpOptions<Stream>;
  readonly #chases = new Map<ConnectionSocket, Chase<Stream>>();
  /** Clients to be sent more, in turn; the others have to read first. */
  #ready = new Set<ConnectionSocket>();
  #isScheduled = false;

  constructor(options: CatchUpOptions<Stream>) {
    this.#options = options;
  }

  /** Adds a socket that has every event of a stream up to `position`. A socket that has all of them follows at once. */
  begin(socket: ConnectionSocket, stream: Stream, position: number): void {
    if (position === stream.buffer.head.position) return this.#options.follow(socket, stream);
    const chase = this.#chases.getOrInsertComputed(socket, newChase<Stream>);
    chase.places.push({ stream, position, end: undefined, isHeld: false });
    this.#goOn(socket);
  }

  /** Continues with a socket that has read, if it is catching up. */
  resume(socket: ConnectionSocket): void {
    const chase = this.#chases.get(socket);
    if (chase === undefined) return;
    chase.pausedAt = undefined;
    this.#goOn(socket);
  }

  /** Sends a socket that is catching up nothing after the newest event. False if the socket already has everything. */
  endAfterNewest(socket: ConnectionSocket, stream: Stream): boolean {
    const place = this.#placeOf(socket, stream);
    if (place === undefined) return false;
    place.end ??= stream.buffer.head.position;
    if (place.isHeld) this.deny(socket, stream);
    return true;
  }

  /**
   * Sends a socket nothing after the newest event until {@link release} or {@link deny}. The caller has to see to it that it
   * does not follow the stream.
   */
  hold(socket: ConnectionSocket, stream: Stream): void {
    const { position } = stream.buffer.head;
    const place = this.#placeOf(socket, stream);
    if (place === undefined) {
      const chase = this.#chases.getOrInsertComputed(socket, newChase<Stream>);
      chase.places.push({ stream, position, end: position, isHeld: true });
    } else if (place.end === undefined) {
      place.end = position;
      place.isHeld = true;
    }
  }

  isHeld(socket: ConnectionSocket, stream: Stream): boolean {
    return this.#placeOf(socket, stream)?.isHeld === true;
  }

  /** Returns whether a socket is sent the last that it may have of a stream. */
  isEnding(socket: ConnectionSocket, stream: Stream): boolean {
    const place = this.#placeOf(socket, stream);
    return place?.end !== undefined && !place.isHeld;
  }

  /** Lets a held socket go on. False if what it has missed is no longer kept: then it is to follow from now on. */
  release(socket: ConnectionSocket, stream: Stream): boolean {
    const place = this.#placeOf(socket, stream);
    if (place?.isHeld !== true) return true;
    place.isHeld = false;
    place.end = undefined;
    if (isLost(place)) {
      this.#remove(socket, place);
      return false;
    }
    if (place.position === targetOf(place)) this.#arrive(socket, place);
    else this.#goOn(socket);
    return true;
  }

  /** Ends the access of a held socket where it was held. */
  deny(socket: ConnectionSocket, stream: Stream): void {
    const place = this.#placeOf(socket, stream);
    if (place?.isHeld !== true) return;
    place.isHeld = false;
    if (place.position === place.end) this.#arrive(socket, place);
    else this.#goOn(socket);
  }

  /**
   * Sends a socket at once the rest of a stream to which its access has ended. Returns whether that was all of it.
   * False also if there is no such stream, and if the socket cannot take the rest or it is no longer kept: then it is
   * given up.
   */
  finishNow(socket: ConnectionSocket, stream: Stream): boolean {
    const place = this.#placeOf(socket, stream);
    if (place?.end === undefined || !this.#sendRest(socket, place)) return false;
    this.#arrive(socket, place);
    return true;
  }

  /**
   * Sends a held socket at once the rest of a stream that continues elsewhere, where it cannot be continued. False if it is
   * not held.
   */
  strand(socket: ConnectionSocket, stream: Stream): boolean {
    const place = this.#placeOf(socket, stream);
    if (place?.isHeld !== true) return false;
    if (this.#sendRest(socket, place)) [place.position, place.end] = [-Infinity, -Infinity];
    return true;
  }

  /**
   * Skips what a socket has missed of a stream. False if it was not catching up; otherwise it is to follow from now
   * on.
   */
  skip(socket: ConnectionSocket, stream: Stream): boolean {
    const place = this.#placeOf(socket, stream);
    if (place === undefined) return false;
    this.#remove(socket, place);
    return true;
  }

  /** Removes a socket. */
  end(socket: ConnectionSocket): void {
    this.#chases.delete(socket);
    this.#ready.delete(socket);
  }

  /** Gives up clients that do not read or need events that are no longer kept. To be called now and then. */
  giveUpLate(): void {
    const { clock, giveUp } = this.#options;
    const unreadSince = clock.monotonicMs() - UNREAD_MS;
    for (const [socket, { places, pausedAt = Infinity }] of this.#chases) {
      if (pausedAt < unreadSince || places.some(isLost)) giveUp(socket);
    }
  }

  /** The bytes that may wait for each client that is catching up now. */
  get #shareBytes(): number {
    const { pauseAboveBytes, pauseAllAboveBytes } = this.#options;
    const share = pauseAllAboveBytes / Math.max(1, this.#chases.size);
    return Math.min(pauseAboveBytes, Math.max(LEAST_SHARE_BYTES, share));
  }

  #placeOf(socket: ConnectionSocket, stream: Stream): CatchUpPlace<Stream> | undefined {
    return this.#chases.get(socket)?.places.find((place) => place.stream === stream);
  }

  /** False if the socket cannot take it, or it is no longer kept: then the socket is given up. */
  #sendRest(socket: ConnectionSocket, place: CatchUpPlace<Stream>): boolean {
    const end = targetOf(place);
    while (place.position < end && this.#send(socket, place).events > 0);
    if (place.position === end) return true;
    this.end(socket);
    this.#options.giveUp(socket);
    return false;
  }

  #remove(socket: ConnectionSocket, place: CatchUpPlace<Stream>): void {
    const places = this.#chases.get(socket)?.places ?? [];
    places.splice(places.indexOf(place), 1);
    if (places.length === 0) this.end(socket);
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

  /** Sends a socket what it can take, and returns what share of the turn that was. */
  #feed(socket: ConnectionSocket): number {
    const chase = this.#chases.get(socket);
    const place = chase?.places.find((each) => !isWaiting(each));
    if (chase === undefined || place === undefined) return 0;
    const { clock, giveUp } = this.#options;
    const { events, length, isMissing } = this.#send(socket, place);
    const isThere = place.position === targetOf(place);
    if (isMissing) {
      this.end(socket);
      giveUp(socket);
    } else if (isThere && !place.isHeld) this.#arrive(socket, place);
    if (!isMissing && this.#chases.has(socket)) {
      const mustRead = socket.getBufferedAmount() > this.#shareBytes;
      chase.pausedAt = mustRead ? (chase.pausedAt ?? clock.monotonicMs()) : undefined;
      // The runtime reports when it has read.
      if (!mustRead) this.#ready.add(socket);
    }
    return Math.max(1 / EVENTS_A_TURN, events / EVENTS_A_TURN, length / LENGTH_A_TURN);
  }

  #send(socket: ConnectionSocket, place: CatchUpPlace<Stream>) {
    const { textFor } = this.#options;
    const { stream } = place;
    const shareBytes = this.#shareBytes;
    let [events, length, isMissing] = [0, 0, false];
    socket.cork(() => {
      while (
        place.position < targetOf(place) &&
        events < EVENTS_AT_A_TIME &&
        length < LENGTH_AT_A_TIME &&
        socket.getBufferedAmount() <= shareBytes
      ) {
        const text = stream.buffer.at(place.position + 1);
        isMissing = text === undefined;
        if (text === undefined) return;
        socket.send(textFor(socket, stream, text));
        place.position += 1;
        events += 1;
        length += text.length;
      }
    });
    return { events, length, isMissing };
  }

  #arrive(socket: ConnectionSocket, place: CatchUpPlace<Stream>): void {
    const { follow, finish } = this.#options;
    this.#remove(socket, place);
    if (place.end === undefined) follow(socket, place.stream);
    else finish(socket, place.stream);
  }
}

function newChase<Stream>(): Chase<Stream> {
  return { places: [], pausedAt: undefined };
}
