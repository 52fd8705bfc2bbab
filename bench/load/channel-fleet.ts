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
  /** Of those who follow it; the first one's, who owns it, also posts. */
  readonly tokens: readonly string[];
}

/** A channel in which somebody posts as soon as everyone has received the last post. */
class Lane {
  readonly poster: KeepAlive;
  readonly followers: number;
  missing = 0;
  isAnswered = true;

  constructor(poster: KeepAlive, followers: number) {
    this.poster = poster;
    this.followers = followers;
  }

  get isIdle(): boolean {
    return this.isAnswered && this.missing === 0;
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

  /** Connects everyone who follows one of the channels. At most `posting` channels are posted to at a time. */
  static async connect(
    ports: SubjectPorts,
    channels: readonly FollowedChannel[],
    posting: number,
  ): Promise<ChannelFleet> {
    const fleet = new ChannelFleet();
    const waiting: { readonly lane: Lane | undefined; readonly token: string }[] = [];
    for (const [at, { id, tokens }] of channels.entries()) {
      const lane = at < posting ? fleet.#laneOf(ports.rest, { id, tokens }) : undefined;
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
    for (const { poster } of this.#lanes) await poster.connect();
    if (performance.now() - this.#lastPingAt < PING_PERIOD_MS) return;
    this.#lastPingAt = performance.now();
    for (const socket of this.#sockets) sendPing(socket);
  }

  /** Posts for some time, and resolves when everyone has received everything. */
  async run(milliseconds: number): Promise<Turn> {
    const cpuBefore = ownCpuSeconds();
    this.#end.begin();
    this.#delivered = 0;
    this.#isRunning = true;
    const stop = setTimeout(() => {
      this.#isRunning = false;
    }, milliseconds);
    try {
      for (const lane of this.#lanes) this.#post(lane);
      await this.#end.reached(milliseconds, () => 'some deliveries');
    } finally {
      clearTimeout(stop);
      this.#isRunning = false;
    }
    return { operations: this.#delivered, cpuSeconds: ownCpuSeconds() - cpuBefore };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { poster } of this.#lanes) poster[Symbol.dispose]();
    for (const socket of this.#sockets) closeListener(socket);
  }

  #laneOf(port: number, { id, tokens: [token = '', ...others] }: FollowedChannel): Lane {
    const request = {
      ...({ method: 'POST', port, path: `/channels/${id}/messages` } as const),
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ content: MESSAGE.content }),
    };
    const poster = new KeepAlive(request, {
      answer: () => {
        lane.isAnswered = true;
        this.#next(lane);
      },
      fault: (error) => this.#end.fail(error),
    });
    const lane = new Lane(poster, 1 + others.length);
    this.#lanes.push(lane);
    return lane;
  }

  #post(lane: Lane): void {
    lane.isAnswered = false;
    lane.missing = lane.followers;
    lane.poster.send();
  }

  #next(lane: Lane): void {
    if (!lane.isIdle) return;
    if (this.#isRunning) return this.#post(lane);
    if (this.#lanes.every(({ isIdle }) => isIdle)) this.#end.reach();
  }

  async #open(port: number, lane: Lane | undefined, token: string): Promise<void> {
    const ready = Promise.withResolvers<void>();
    let rest = Buffer.alloc(0);
    const frames = (_: Listener, chunk: Buffer) => {
      const received = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]);
      let at = 0;
      for (let end = frameBytes(received, 0); end <= received.byteLength;) {
        const text = at + headBytes(received, at);
        if (begins(received, text, EVENT)) this.#deliver(lane);
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

  #deliver(lane: Lane | undefined): void {
    if (lane === undefined || lane.missing === 0) {
      return this.#end.fail(new Error('more was sent than posted'));
    }
    this.#delivered += 1;
    lane.missing -= 1;
    this.#next(lane);
  }
}

function begins(bytes: Buffer, at: number, text: Buffer): boolean {
  return bytes.compare(text, 0, text.byteLength, at, at + text.byteLength) === 0;
}

/** A client's frame of a text of 126 to 65,535 bytes, masked with zeros. */
function clientFrame(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = [Math.floor(bytes.byteLength / 256), bytes.byteLength % 256];
  return Buffer.from([0x81, MASKED_LENGTH_IN_TWO_BYTES, ...length, 0, 0, 0, 0, ...bytes]);
}
