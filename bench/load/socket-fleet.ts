import type { Load, Turn } from '../compare.ts';
import type { SubjectPorts } from '../subjects/subject.ts';
import { KeepAlive } from './keep-alive.ts';
import {
  closeListener,
  openListener,
  PONG_FRAME_BYTES,
  sendPing,
  type Listener,
  type ListenerSocket,
} from './listener.ts';
import { MESSAGE_BODY, MESSAGE_EVENT } from './message.ts';
import { mostHandshakes } from './most-sockets.ts';
import { ownCpuSeconds } from './own-cpu.ts';
import { TurnEnd } from './turn-end.ts';
import { within } from './within.ts';

const CONNECTING_AT_ONCE = 200;
const POSTERS = 32;
const TEXT_FRAME = 0x81;
const PING_PERIOD_MS = 15_000;

const EVENT = Buffer.from(MESSAGE_EVENT);

/** The event as a server's frame; a text of 126 to 65,535 bytes has its length in two. */
const FRAME = Buffer.from([
  TEXT_FRAME,
  126,
  Math.floor(EVENT.byteLength / 256),
  EVENT.byteLength % 256,
  ...EVENT,
]);

/** How posts follow each other. */
export type Pace =
  /** At most so many that not everyone has received yet, and the next as soon as may be. */
  | { readonly inFlight: number }
  /** So many a second, however long they take. */
  | { readonly postsPerSecond: number };

/** Milliseconds from when posts were due. */
export interface Latencies {
  /** To each delivery. */
  readonly all: number[];
  /** To each post's last delivery. */
  readonly last: number[];
}

interface Post {
  readonly dueAt: number;
  missing: number;
}

/** Sockets that listen to a gateway, with connections that post what they are sent. An operation is a delivery. */
export class SocketFleet implements Load {
  /** Of the last turn. */
  latencies: Latencies = { all: [], last: [] };
  readonly #sockets: ListenerSocket[] = [];
  readonly #posters: KeepAlive[] = [];
  readonly #pace: Pace;
  readonly #end = new TurnEnd();
  #posts: Post[] = [];
  #completed = 0;
  #startedAt = 0;
  #isRunning = false;
  #lastPingAt = performance.now();
  /** Bytes of PONGs that have not come yet; 0 while events are expected. */
  #missingPongBytes = 0;

  private constructor(pace: Pace) {
    this.#pace = pace;
  }

  /** Connects `size` sockets, many at a time. */
  static async connect(ports: SubjectPorts, size: number, pace: Pace): Promise<SocketFleet> {
    const fleet = new SocketFleet(pace);
    const fault = (error: Error) => fleet.#end.fail(error);
    const answer = (poster: KeepAlive) => fleet.#onAnswer(poster);
    const post = { method: 'POST', path: '/messages', body: MESSAGE_BODY } as const;
    while (fleet.#posters.length < POSTERS) {
      fleet.#posters.push(new KeepAlive({ ...post, port: ports.rest }, { answer, fault }));
    }
    const frames = (listener: Listener, chunk: Buffer) => fleet.#onFrames(listener, chunk);
    const atOnce = mostHandshakes(CONNECTING_AT_ONCE);
    while (fleet.#sockets.length < size) {
      const batch = Math.min(atOnce, size - fleet.#sockets.length);
      const opening = Array.from({ length: batch }, () =>
        openListener(ports.gateway, { frames, fault }),
      );
      const opened = await within(0, Promise.all(opening), () => `some of ${batch} handshakes`);
      fleet.#sockets.push(...opened);
    }
    return fleet;
  }

  async prepare(): Promise<void> {
    this.#end.check();
    for (const poster of this.#posters) await poster.connect();
    if (performance.now() - this.#lastPingAt > PING_PERIOD_MS) await this.#ping();
  }

  /** Posts for so long, and resolves when everyone has received everything. Throws where that fails. */
  async run(milliseconds: number): Promise<Turn> {
    const cpuBefore = ownCpuSeconds();
    for (const { data } of this.#sockets) data.frames = 0;
    this.#posts = [];
    this.#completed = 0;
    this.latencies = { all: [], last: [] };
    this.#end.begin();
    this.#isRunning = true;
    this.#startedAt = performance.now();
    const clock = 'inFlight' in this.#pace ? undefined : setInterval(() => this.#postMore(), 1);
    const stop = setTimeout(() => {
      this.#isRunning = false;
      this.#endIfDone();
    }, milliseconds);
    try {
      this.#postMore();
      await this.#end.reached(milliseconds, () => this.#missing());
    } finally {
      clearInterval(clock);
      clearTimeout(stop);
      this.#isRunning = false;
    }
    const operations = this.#posts.length * this.#sockets.length;
    return { operations, cpuSeconds: ownCpuSeconds() - cpuBefore };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const poster of this.#posters) poster[Symbol.dispose]();
    for (const socket of this.#sockets) closeListener(socket);
  }

  #postMore(): void {
    while (this.#isRunning) {
      const dueAt = this.#nextDueAt();
      const poster = dueAt === undefined ? undefined : this.#posters.pop();
      if (dueAt === undefined || poster === undefined) return;
      this.#posts.push({ dueAt, missing: this.#sockets.length });
      poster.send();
    }
  }

  /** When the next post was due, or undefined where it is not yet. */
  #nextDueAt(): number | undefined {
    const now = performance.now();
    if ('inFlight' in this.#pace) {
      return this.#posts.length - this.#completed < this.#pace.inFlight ? now : undefined;
    }
    const dueAt = this.#startedAt + (this.#posts.length * 1_000) / this.#pace.postsPerSecond;
    return dueAt <= now ? dueAt : undefined;
  }

  #onAnswer(poster: KeepAlive): void {
    this.#posters.push(poster);
    this.#postMore();
    this.#endIfDone();
  }

  /** Without it the gateway would take the sockets for dead. */
  async #ping(): Promise<void> {
    this.#lastPingAt = performance.now();
    this.#missingPongBytes = this.#sockets.length * PONG_FRAME_BYTES;
    this.#end.begin();
    for (const socket of this.#sockets) sendPing(socket);
    await this.#end.reached(0, () => `${this.#missingPongBytes} bytes of PONGs`);
  }

  #onFrames(listener: Listener, chunk: Buffer): void {
    if (this.#missingPongBytes > 0) {
      this.#missingPongBytes -= chunk.byteLength;
      if (this.#missingPongBytes === 0) this.#end.reach();
      return;
    }
    if (listener.partBytes === 0 && chunk[0] !== TEXT_FRAME) {
      return this.#end.fail(new Error('the gateway sent something else than an event'));
    }
    if (!listener.isCompared) this.#compare(listener, chunk);
    const bytes = listener.partBytes + chunk.byteLength;
    const last = listener.frames + Math.floor(bytes / FRAME.byteLength);
    listener.partBytes = bytes % FRAME.byteLength;
    const now = performance.now();
    for (; listener.frames < last; listener.frames += 1) this.#deliver(listener.frames, now);
  }

  #compare(listener: Listener, chunk: Buffer): void {
    const { partBytes } = listener;
    const part = chunk.subarray(0, FRAME.byteLength - partBytes);
    const end = partBytes + part.byteLength;
    listener.isCompared = end === FRAME.byteLength;
    if (part.equals(FRAME.subarray(partBytes, end))) return;
    this.#end.fail(new Error(`the gateway sent something else than the event: ${part.toString()}`));
  }

  #deliver(at: number, now: number): void {
    const post = this.#posts[at];
    if (post === undefined) return this.#end.fail(new Error('more was sent than posted'));
    post.missing -= 1;
    if ('postsPerSecond' in this.#pace) this.latencies.all.push(now - post.dueAt);
    if (post.missing > 0) return;
    this.latencies.last.push(now - post.dueAt);
    this.#completed += 1;
    this.#postMore();
    this.#endIfDone();
  }

  #missing(): string {
    let deliveries = 0;
    for (const { missing } of this.#posts) deliveries += missing;
    return `${deliveries} deliveries and ${POSTERS - this.#posters.length} answers`;
  }

  #endIfDone(): void {
    const isIdle = this.#completed === this.#posts.length && this.#posters.length === POSTERS;
    if (!this.#isRunning && isIdle) this.#end.reach();
  }
}
