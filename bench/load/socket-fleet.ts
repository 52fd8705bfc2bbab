import type { Load, Turn } from '../compare.ts';
import type { SubjectPorts } from '../subjects/subject.ts';
import { SameEventReader, type EventReader } from './event-reader.ts';
import { textFrame } from './frame.ts';
import { KeepAlive } from './keep-alive.ts';
import {
  closeListener,
  openListener,
  PONG_FRAME_BYTES,
  PROFILE_TARGET,
  sendPing,
  type Listener,
  type ListenerSocket,
} from './listener.ts';
import { MESSAGE_BODY, MESSAGE_EVENT } from './message.ts';
import { mostHandshakes } from './most-sockets.ts';
import { ownCpuSeconds } from './own-cpu.ts';
import { ProfileReader } from './profile-reader.ts';
import { TurnEnd } from './turn-end.ts';
import { within } from './within.ts';

const CONNECTING_AT_ONCE = 200;
const POSTERS = 32;
const PING_PERIOD_MS = 15_000;

/** The listeners. */
export interface Audience {
  /** The number of listeners, of both kinds. */
  readonly sockets: number;
  /** The number of listeners that use profile 1; the default is none. */
  readonly profiled?: number;
  /** The event that the others receive; the default is the documented event. */
  readonly event?: string;
  /**
   * True if the server passes on posts unchanged, as events. Such a server does not know PING, and does not need it.
   */
  readonly isRelayed?: boolean;
  /** Which sockets are at the web port, to which then all posts go: every second one, or all. */
  readonly atWebPort?: 'half' | 'all';
}

/** The way in which posts follow each other. */
export type Pace =
  /** The most posts that not everyone has received yet; the next one follows as soon as possible. */
  | { readonly inFlight: number }
  /** Posts per second, however long they take. */
  | { readonly postsPerSecond: number };

/** Milliseconds from the time that posts were due. */
export interface Latencies {
  /** Until each delivery. */
  readonly all: number[];
  /** Until each post's last delivery. */
  readonly last: number[];
}

interface Post {
  readonly dueAt: number;
  missing: number;
}

/** The path of the gateway at the web port. */
const WEB_TARGET = '/gateway';

/** Returns where sockets connect, and whether messages are posted to the web port. */
function placesOf(ports: SubjectPorts, { atWebPort }: Audience) {
  const web = ports.web ?? 0;
  const own = ports.gateways ?? [ports.gateway];
  const gateways = atWebPort === undefined ? own : atWebPort === 'all' ? [web] : [...own, web];
  return { web, isPosted: atWebPort !== undefined, gateways };
}

/** Sockets that listen to a gateway, and connections that post the messages. An operation is a delivery. */
export class SocketFleet implements Load {
  /** The latencies of the last turn. */
  latencies: Latencies = { all: [], last: [] };
  readonly #sockets: ListenerSocket[] = [];
  readonly #posters: KeepAlive[] = [];
  /** The pace of the posts from the next turn on. */
  pace: Pace;
  readonly #end = new TurnEnd();
  #posts: Post[] = [];
  #postsBefore = 0;
  #completed = 0;
  #startedAt = 0;
  #isRunning = false;
  #lastPingAt = performance.now();
  #pings = true;
  /** Bytes of PONGs that have not arrived yet; 0 while events are expected. */
  #missingPongBytes = 0;

  private constructor(pace: Pace) {
    this.pace = pace;
  }

  /** Connects all listeners, many at a time. */
  static async connect(ports: SubjectPorts, audience: Audience, pace: Pace): Promise<SocketFleet> {
    const fleet = new SocketFleet(pace);
    fleet.#pings = audience.isRelayed !== true;
    const fault = (error: Error) => fleet.#end.fail(error);
    const answer = (poster: KeepAlive) => fleet.#onAnswer(poster);
    const event = audience.event ?? MESSAGE_EVENT;
    const body = audience.isRelayed === true ? event : MESSAGE_BODY;
    const { web, isPosted, gateways } = placesOf(ports, audience);
    const path = isPosted ? '/api/messages' : '/messages';
    const post = { method: 'POST', path, body } as const;
    while (fleet.#posters.length < POSTERS) {
      fleet.#posters.push(
        new KeepAlive({ ...post, port: isPosted ? web : ports.rest }, { answer, fault }),
      );
    }
    const frame = textFrame(event);
    const open = (at: number) => {
      const gateway = gateways[at % gateways.length] ?? ports.gateway;
      return at < (audience.profiled ?? 0)
        ? fleet.#openProfiled(gateway)
        : fleet.#open(
            gateway,
            new SameEventReader(frame),
            gateway === web ? WEB_TARGET : undefined,
          );
    };
    const atOnce = mostHandshakes(CONNECTING_AT_ONCE);
    while (fleet.#sockets.length < audience.sockets) {
      const first = fleet.#sockets.length;
      const batch = Math.min(atOnce, audience.sockets - first);
      const opening = Array.from({ length: batch }, (_, at) => open(first + at));
      const opened = await within(0, Promise.all(opening), () => `some of ${batch} handshakes`);
      fleet.#sockets.push(...opened);
    }
    return fleet;
  }

  /** The number of posts that were begun since the fleet was connected. */
  get posted(): number {
    return this.#postsBefore + this.#posts.length;
  }

  async prepare(): Promise<void> {
    this.#end.check();
    for (const poster of this.#posters) await poster.connect();
    if (this.#pings && performance.now() - this.#lastPingAt > PING_PERIOD_MS) await this.#ping();
  }

  /** Posts for some time, and resolves when everyone has received everything. Throws if that fails. */
  run(milliseconds: number): Promise<Turn> {
    return this.runWhile(() => Bun.sleep(milliseconds), milliseconds);
  }

  /** Posts until `work` is done or takes too long, and then resolves like `run`. Throws any error of `work`. */
  async runWhile(work: () => Promise<void>, milliseconds: number): Promise<Turn> {
    const cpuBefore = ownCpuSeconds();
    for (const { data } of this.#sockets) data.events = 0;
    this.#postsBefore += this.#posts.length;
    this.#posts = [];
    this.#completed = 0;
    this.latencies = { all: [], last: [] };
    this.#end.begin();
    this.#isRunning = true;
    this.#startedAt = performance.now();
    const clock = 'inFlight' in this.pace ? undefined : setInterval(() => this.#postMore(), 1);
    const stop = () => {
      this.#isRunning = false;
      this.#endIfDone();
    };
    try {
      this.#postMore();
      const working = work();
      void working.then(stop, stop);
      await this.#end.reached(milliseconds, () => this.#missing());
      await working;
    } finally {
      clearInterval(clock);
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

  /** When the next post was due, or undefined if it is not due yet. */
  #nextDueAt(): number | undefined {
    const now = performance.now();
    if ('inFlight' in this.pace) {
      return this.#posts.length - this.#completed < this.pace.inFlight ? now : undefined;
    }
    const dueAt = this.#startedAt + (this.#posts.length * 1_000) / this.pace.postsPerSecond;
    return dueAt <= now ? dueAt : undefined;
  }

  #onAnswer(poster: KeepAlive): void {
    this.#posters.push(poster);
    this.#postMore();
    this.#endIfDone();
  }

  /** Sends PINGs. Without them the gateway would consider the sockets dead. */
  async #ping(): Promise<void> {
    this.#lastPingAt = performance.now();
    this.#missingPongBytes = this.#sockets.length * PONG_FRAME_BYTES;
    this.#end.begin();
    for (const socket of this.#sockets) sendPing(socket);
    await this.#end.reached(0, () => `${this.#missingPongBytes} bytes of PONGs`);
  }

  async #openProfiled(port: number): Promise<ListenerSocket> {
    const reader = new ProfileReader();
    const socket = await this.#open(port, reader, PROFILE_TARGET);
    await reader.greeted;
    return socket;
  }

  #open(port: number, reader: EventReader, target?: string): Promise<ListenerSocket> {
    const frames = (listener: Listener, chunk: Buffer) => this.#onFrames(listener, reader, chunk);
    return openListener(port, { frames, fault: (error) => this.#end.fail(error) }, target);
  }

  #onFrames(listener: Listener, reader: EventReader, chunk: Buffer): void {
    if (this.#missingPongBytes > 0) {
      this.#missingPongBytes -= chunk.byteLength;
      if (this.#missingPongBytes === 0) this.#end.reach();
      return;
    }
    try {
      const last = listener.events + reader.take(chunk);
      const now = performance.now();
      for (; listener.events < last; listener.events += 1) this.#deliver(listener.events, now);
    } catch (error) {
      this.#end.fail(asError(error));
    }
  }

  #deliver(at: number, now: number): void {
    const post = this.#posts[at];
    if (post === undefined) return this.#end.fail(new Error('more was sent than posted'));
    post.missing -= 1;
    if ('postsPerSecond' in this.pace) this.latencies.all.push(now - post.dueAt);
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

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
