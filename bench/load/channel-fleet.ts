import type { Load, Turn } from '../compare.ts';
import type { SubjectPorts } from '../subjects/subject.ts';
import { frameBytes, headBytes } from './frame.ts';
import { KeepAlive } from './keep-alive.ts';
import {
  closeListener,
  openListener,
  sendPing,
  type Listener,
  type ListenerSocket,
} from './listener.ts';
import { MESSAGE } from './message.ts';
import { mostHandshakes } from './most-sockets.ts';
import { ownCpuSeconds } from './own-cpu.ts';
import { TurnEnd } from './turn-end.ts';
import { within } from './within.ts';

const TARGET = '/?v=2';
const AT_ONCE = 200;
const CONNECT_MS = 60_000;
const PING_PERIOD_MS = 20_000;
const EVENT = Buffer.from('{"op":"MESSAGE_CREATE"');
const READY = Buffer.from('{"op":"READY"');
const MASKED_LENGTH_IN_TWO_BYTES = 0x80 | 126;

/** A channel that everyone in a community follows. */
export interface FollowedChannel {
  readonly id: string;
  /** Tokens of the people who follow it; the first one, who owns it, also posts. */
  readonly tokens: readonly string[];
}

/** The number of channels that are posted to, and of posts to each that may be on their way to its followers. */
export interface Posting {
  readonly channels: number;
  readonly inFlight: number;
}

/** A channel in which somebody posts as soon as everyone has received the posts before the last few. */
class Lane {
  readonly posters: KeepAlive[] = [];
  /** Connections that wait for no answer. */
  readonly idle: KeepAlive[] = [];
  readonly followers: number;
  /** The number of followers that have not received each post of this turn. */
  #missing: number[] = [];
  #completed = 0;

  constructor(followers: number) {
    this.followers = followers;
  }

  get isIdle(): boolean {
    return this.idle.length === this.posters.length && this.#completed === this.#missing.length;
  }

  begin(): void {
    [this.#missing, this.#completed] = [[], 0];
  }

  /** A connection for the next post, if it may be sent. */
  next(): KeepAlive | undefined {
    const open = this.#missing.length - this.#completed;
    const poster = open < this.posters.length ? this.idle.pop() : undefined;
    if (poster !== undefined) this.#missing.push(this.followers);
    return poster;
  }

  /** Notes that a follower has received a post. Returns whether that was the last one; undefined if there is no such post. */
  deliver(at: number): boolean | undefined {
    const missing = this.#missing[at];
    if (missing === undefined) return undefined;
    this.#missing[at] = missing - 1;
    if (missing > 1) return false;
    this.#completed += 1;
    return true;
  }
}

/** Sockets of profile 2 that follow channels, and connections that post there. An operation is a delivery. */
export class ChannelFleet implements Load {
  readonly #sockets: ListenerSocket[] = [];
  readonly #lanes: Lane[] = [];
  readonly #end = new TurnEnd();
  #delivered = 0;
  #isRunning = false;
  #lastPingAt = performance.now();

  /** Connects everyone who follows one of the channels. Only the first ones are posted to. */
  static async connect(
    ports: SubjectPorts,
    channels: readonly FollowedChannel[],
    posting: Posting,
  ): Promise<ChannelFleet> {
    const fleet = new ChannelFleet();
    const waiting: { readonly lane: Lane | undefined; readonly token: string }[] = [];
    for (const [at, { id, tokens }] of channels.entries()) {
      const lane =
        at < posting.channels
          ? fleet.#laneOf(ports.rest, { id, tokens }, posting.inFlight)
          : undefined;
      waiting.push(...tokens.map((token) => ({ lane, token })));
    }
    const left = waiting.values();
    const openMore = async () => {
      for (const { lane, token } of left) await fleet.#open(ports.gateway, lane, token);
    };
    const opening = Array.from({ length: mostHandshakes(AT_ONCE) }, openMore);
    await within(CONNECT_MS, Promise.all(opening), () => 'READY of some');
    return fleet;
  }

  async prepare(): Promise<void> {
    this.#end.check();
    for (const { posters } of this.#lanes) for (const each of posters) await each.connect();
    if (performance.now() - this.#lastPingAt < PING_PERIOD_MS) return;
    this.#lastPingAt = performance.now();
    for (const socket of this.#sockets) sendPing(socket);
  }

  /** Posts for some time, and resolves when everyone has received everything. */
  async run(milliseconds: number): Promise<Turn> {
    const cpuBefore = ownCpuSeconds();
    this.#end.begin();
    for (const { data } of this.#sockets) data.events = 0;
    for (const lane of this.#lanes) lane.begin();
    this.#delivered = 0;
    this.#isRunning = true;
    const stop = setTimeout(() => {
      this.#isRunning = false;
    }, milliseconds);
    try {
      for (const lane of this.#lanes) this.#next(lane);
      await this.#end.reached(milliseconds, () => 'some deliveries');
    } finally {
      clearTimeout(stop);
      this.#isRunning = false;
    }
    return { operations: this.#delivered, cpuSeconds: ownCpuSeconds() - cpuBefore };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { posters } of this.#lanes) for (const each of posters) each[Symbol.dispose]();
    for (const socket of this.#sockets) closeListener(socket);
  }

  #laneOf(
    port: number,
    { id, tokens: [token = '', ...others] }: FollowedChannel,
    inFlight: number,
  ): Lane {
    const request = {
      ...({ method: 'POST', port, path: `/channels/${id}/messages` } as const),
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ content: MESSAGE.content }),
    };
    const lane = new Lane(1 + others.length);
    const answer = (poster: KeepAlive) => {
      lane.idle.push(poster);
      this.#next(lane);
    };
    const fault = (error: Error) => this.#end.fail(error);
    while (lane.posters.length < inFlight)
      lane.posters.push(new KeepAlive(request, { answer, fault }));
    lane.idle.push(...lane.posters);
    this.#lanes.push(lane);
    return lane;
  }

  #next(lane: Lane): void {
    if (!this.#isRunning) {
      if (this.#lanes.every(({ isIdle }) => isIdle)) this.#end.reach();
      return;
    }
    for (let poster = lane.next(); poster !== undefined; poster = lane.next()) poster.send();
  }

  async #open(port: number, lane: Lane | undefined, token: string): Promise<void> {
    const ready = Promise.withResolvers<void>();
    let rest = Buffer.alloc(0);
    const frames = (listener: Listener, chunk: Buffer) => {
      const received = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]);
      let at = 0;
      for (let end = frameBytes(received, 0); end <= received.byteLength;) {
        const text = at + headBytes(received, at);
        if (begins(received, text, EVENT)) this.#deliver(lane, listener);
        else if (begins(received, text, READY)) ready.resolve();
        at = end;
        end = at + frameBytes(received, at);
      }
      rest = Buffer.from(received.subarray(at));
    };
    const fault = (error: Error) => {
      ready.reject(error);
      this.#end.fail(error);
    };
    const socket = await openListener(port, { frames, fault }, TARGET);
    this.#sockets.push(socket);
    socket.write(clientFrame(`{"op":"AUTHENTICATE","d":{"token":"${token}"}}`));
    await ready.promise;
  }

  #deliver(lane: Lane | undefined, listener: Listener): void {
    const isLast = lane?.deliver(listener.events);
    if (lane === undefined || isLast === undefined) {
      return this.#end.fail(new Error('more was sent than posted'));
    }
    listener.events += 1;
    this.#delivered += 1;
    if (isLast) this.#next(lane);
  }
}

function begins(bytes: Buffer, at: number, text: Buffer): boolean {
  const end = at + text.byteLength;
  return end <= bytes.byteLength && bytes.compare(text, 0, text.byteLength, at, end) === 0;
}

/** A client's frame of a text of 126 to 65,535 bytes, masked with zeros. */
function clientFrame(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = [Math.floor(bytes.byteLength / 256), bytes.byteLength % 256];
  return Buffer.from([0x81, MASKED_LENGTH_IN_TWO_BYTES, ...length, 0, 0, 0, 0, ...bytes]);
}
