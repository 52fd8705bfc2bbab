import type { Id } from '@hearth/protocol';
import { profileEventSchema, type lobbyMessageCreateSchema } from '@hearth/protocol/schemas';
import type { z } from 'zod';
import { RawSocket } from './raw-socket.ts';
import type { TestInstance } from '../instances/test-instance.ts';
import { OPCODES } from './web-socket-frames.ts';

type ProfileEvent = z.infer<typeof profileEventSchema>;
type Op = ProfileEvent['op'];
/** An event with its position. */
export type PlacedEvent = z.infer<typeof lobbyMessageCreateSchema>;

/** A client's place in the stream, which it needs to come back. */
export interface Place {
  readonly epoch: string;
  readonly s: number;
}

/** The query of a client that resumes. */
export function resumeQuery({ epoch, s }: Place): string {
  return `v=1&epoch=${epoch}&s=${s}`;
}

/** A client of gateway profile 1 on its own socket. It checks only the form of payloads; tests check the rest. */
export class ProfileClient implements Disposable {
  readonly raw: RawSocket;
  #framesSeen = 0;
  readonly #payloads: ProfileEvent[] = [];

  private constructor(raw: RawSocket) {
    this.raw = raw;
  }

  /** Connects with a query and resolves when the handshake is done. */
  static async connect(
    { addresses }: Pick<TestInstance, 'addresses'>,
    query = 'v=1',
    headers: readonly string[] = [],
  ): Promise<ProfileClient> {
    const target = `${new URL(addresses.gateway).pathname}?${query}`;
    return new ProfileClient(await RawSocket.connect(addresses.gateway, { target, headers }));
  }

  /** Connects with a query and resolves when HELLO has come. */
  static async greeted(
    instance: Pick<TestInstance, 'addresses'>,
    query = 'v=1',
  ): Promise<ProfileClient> {
    const client = await ProfileClient.connect(instance, query);
    await client.raw.until(() => client.payloads.length > 0);
    return client;
  }

  /** All payloads, parsed by the protocol's schemas. */
  get payloads(): readonly ProfileEvent[] {
    const { frames } = this.raw;
    for (; this.#framesSeen < frames.length; this.#framesSeen += 1) {
      const frame = frames[this.#framesSeen];
      if (frame?.opcode !== OPCODES.text) continue;
      this.#payloads.push(profileEventSchema.parse(JSON.parse(frame.payload.toString())));
    }
    return this.#payloads;
  }

  /** The data of HELLO, which is the first payload. */
  get hello(): Extract<ProfileEvent, { op: 'HELLO' }>['d'] {
    const [first] = this.payloads;
    if (first?.op !== 'HELLO') throw new Error(`no HELLO but ${JSON.stringify(first)}`);
    return first.d;
  }

  /** The data of DISCONNECT, which is the last payload. */
  get goodbye(): Extract<ProfileEvent, { op: 'DISCONNECT' }>['d'] {
    const last = this.payloads.at(-1);
    if (last?.op !== 'DISCONNECT') throw new Error(`no DISCONNECT but ${JSON.stringify(last)}`);
    return last.d;
  }

  get events(): readonly PlacedEvent[] {
    return this.payloads.filter((payload) => payload.op === 'MESSAGE_CREATE');
  }

  /** The texts of the events as they came. */
  get eventTexts(): readonly string[] {
    return this.raw.texts.filter((text) => text.startsWith('{"op":"MESSAGE_CREATE"'));
  }

  get contents(): readonly string[] {
    return this.events.map(({ d }) => d.content);
  }

  get ops(): readonly Op[] {
    return this.payloads.map(({ op }) => op);
  }

  get place(): Place {
    const { epoch, s } = this.hello;
    return { epoch, s: this.events.at(-1)?.s ?? s };
  }

  get lastId(): Id | undefined {
    return this.events.at(-1)?.d.id;
  }

  /** Resolves when this many events have come. */
  untilEvents(count: number): Promise<void> {
    return this.raw.until(() => this.events.length >= count);
  }

  /** Sends PING and resolves with its answer, which comes after everything that was sent before. */
  async ping(): Promise<void> {
    const pongs = () => this.ops.filter((op) => op === 'PONG').length;
    const before = pongs();
    this.raw.sendText('{"op":"PING"}');
    await this.raw.until(() => pongs() > before);
  }

  /** Cuts the connection. */
  [Symbol.dispose](): void {
    this.raw[Symbol.dispose]();
  }
}
