import { closeListener, openListener, PROFILE_TARGET, type ListenerSocket } from './listener.ts';
import { mostHandshakes } from './most-sockets.ts';
import { ProfileReader, type Place } from './profile-reader.ts';
import { TurnEnd } from './turn-end.ts';

/** Handshakes in flight at a time; a system's queue for connections that are not accepted yet often has no more room. */
const AT_ONCE = 500;

/** The longest time that a resumption may take, in addition to the grace. */
const MOST_MS = 20_000;

/** The result of a resumption. */
export interface Resumption {
  /** Milliseconds until everyone was current. */
  readonly milliseconds: number;
  /** The number of events that were sent to all clients together. */
  readonly events: number;
}

interface Client {
  readonly socket: ListenerSocket;
  readonly reader: ProfileReader;
}

/** Clients of profile 1 that can all be disconnected at once, and come back with their epoch and position. */
export class Resumers implements AsyncDisposable {
  readonly #port: number;
  readonly #posted: () => number;
  readonly #end = new TurnEnd();
  #clients: Client[] = [];
  /** Their places when they were disconnected. */
  #places: readonly Place[] = [];
  /** The position of the stream before the first post that `posted` counts. */
  #base = 0;
  /** The position of the stream, and how many clients have everything up to it. */
  #head = 0;
  #current = 0;
  #events = 0;

  private constructor(port: number, posted: () => number) {
    this.#port = port;
    this.#posted = posted;
  }

  /** Connects new clients. `posted` returns how many posts were begun; no post may be in flight meanwhile. */
  static async connect(port: number, size: number, posted: () => number): Promise<Resumers> {
    const resumers = new Resumers(port, posted);
    resumers.#end.begin();
    const opening = resumers.#openAll(Array.from({ length: size }, () => undefined));
    opening.then(() => resumers.#end.reach(), resumers.#fail);
    await resumers.#end.reached(MOST_MS, () => 'some of the handshakes');
    const positions = resumers.#clients.map(({ reader }) => reader.place.position);
    resumers.#base = Math.min(...positions) - posted();
    return resumers;
  }

  /** Cuts all connections from this side, without a close frame. */
  throwOut(): void {
    this.#end.check();
    for (const { socket } of this.#clients) closeListener(socket);
    this.#places = this.#clients.map(({ reader }) => reader.place);
    this.#clients = [];
  }

  /**
   * Reconnects all clients as fast as possible, and resolves when every one has every event that was posted until then.
   * Throws if a client does not get all events that it missed, in order, or if this takes too long.
   */
  async resume(): Promise<Resumption> {
    const startedAt = performance.now();
    this.#end.begin();
    this.#head = this.#base + this.#posted();
    this.#current = 0;
    this.#events = 0;
    const size = this.#places.length;
    this.#openAll(this.#places).catch(this.#fail);
    await this.#end.reached(MOST_MS, () => `the events of ${size - this.#current} of ${size}`);
    return { milliseconds: performance.now() - startedAt, events: this.#events };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { socket } of this.#clients) closeListener(socket);
  }

  async #openAll(places: readonly (Place | undefined)[]): Promise<void> {
    const left = places.values();
    const openMore = async () => {
      for (const place of left) await this.#open(place);
    };
    await Promise.all(Array.from({ length: mostHandshakes(AT_ONCE) }, openMore));
  }

  async #open(from: Place | undefined): Promise<void> {
    const reader = new ProfileReader(from);
    const events = {
      frames: (_: unknown, chunk: Buffer) => this.#onFrames(reader, chunk),
      fault: this.#fail,
    };
    const socket = await openListener(this.#port, events, target(from));
    this.#clients.push({ socket, reader });
    // The events that a resuming client gets show that it was greeted.
    if (from === undefined) await reader.greeted;
  }

  #onFrames(reader: ProfileReader, chunk: Buffer): void {
    try {
      const events = reader.take(chunk);
      if (events === 0) return;
      this.#events += events;
      this.#countCurrent(reader.place.position);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** If a post was begun since the last count, no client has it yet. */
  #countCurrent(position: number): void {
    const head = this.#base + this.#posted();
    if (head !== this.#head) this.#current = 0;
    this.#head = head;
    if (position > head) throw new Error('more was sent than posted');
    if (position < head) return;
    this.#current += 1;
    if (this.#current === this.#places.length) this.#end.reach();
  }

  readonly #fail = (thrown: unknown): void => {
    this.#end.fail(thrown instanceof Error ? thrown : new Error(String(thrown)));
  };
}

function target(from: Place | undefined): string {
  if (from === undefined) return PROFILE_TARGET;
  return `${PROFILE_TARGET}&epoch=${encodeURIComponent(from.epoch)}&s=${from.position}`;
}
