import { accountEventSchema } from '@hearth/protocol/schemas';
import type { z } from 'zod';
import type { TestInstance } from '../instances/test-instance.ts';
import { RawSocket } from './raw-socket.ts';
import { OPCODES } from './web-socket-frames.ts';

type AccountEvent = z.infer<typeof accountEventSchema>;
type Op = AccountEvent['op'];
type Of<Name extends Op> = Extract<AccountEvent, { op: Name }>;
/** Places in streams. */
export type Places = Of<'READY'>['d']['streams'];

/** The data of AUTHENTICATE. */
export interface Authentication {
  readonly token?: string;
  readonly resume?: Places;
  readonly online?: boolean;
  readonly pauses?: boolean;
}

/** A client of gateway profile 2 on its own socket. It checks only the form of payloads; tests check the rest. */
export class AccountClient implements Disposable {
  readonly raw: RawSocket;
  #framesSeen = 0;
  readonly #payloads: AccountEvent[] = [];

  private constructor(raw: RawSocket) {
    this.raw = raw;
  }

  /** Connects, and resolves when HELLO has come. */
  static async connect(
    { addresses }: Pick<TestInstance, 'addresses'>,
    { query = 'v=2', headers = [] }: { query?: string; headers?: readonly string[] } = {},
  ): Promise<AccountClient> {
    const target = `${new URL(addresses.gateway).pathname}?${query}`;
    const raw = await RawSocket.connect(addresses.gateway, { target, headers });
    const client = new AccountClient(raw);
    await raw.until(() => client.payloads.length > 0);
    return client;
  }

  /** Connects and authenticates, and resolves when the answer has come. */
  static async enter(
    instance: Pick<TestInstance, 'addresses'>,
    authentication: Authentication = {},
  ): Promise<AccountClient> {
    const client = await AccountClient.connect(instance);
    client.authenticate(authentication);
    await client.raw.until(() => client.payloads.length > 1);
    return client;
  }

  authenticate(d: unknown): void {
    this.raw.sendText(JSON.stringify({ op: 'AUTHENTICATE', d }));
  }

  /** All payloads, parsed by the protocol's schemas. */
  get payloads(): readonly AccountEvent[] {
    const { frames } = this.raw;
    for (; this.#framesSeen < frames.length; this.#framesSeen += 1) {
      const frame = frames[this.#framesSeen];
      if (frame?.opcode !== OPCODES.text) continue;
      this.#payloads.push(accountEventSchema.parse(JSON.parse(frame.payload.toString())));
    }
    return this.#payloads;
  }

  get ops(): readonly Op[] {
    return this.payloads.map(({ op }) => op);
  }

  /** The only payload with this op. */
  one<Name extends Op>(op: Name): Of<Name> {
    const found = this.payloads.filter((payload): payload is Of<Name> => payload.op === op);
    const [first] = found;
    if (first === undefined || found.length > 1) throw new Error(`${found.length} of ${op}`);
    return first;
  }

  /** The events of a stream, with their positions. */
  eventsOf(stream: string): readonly (readonly [op: Op, s: number])[] {
    return this.payloads.flatMap((payload) =>
      't' in payload && payload.t === stream ? [[payload.op, payload.s] as const] : [],
    );
  }

  /** The client's places: those of READY or RESUMED, moved on by events. */
  get places(): Places {
    const places: Places = {};
    for (const payload of this.payloads) {
      if ('d' in payload && 'streams' in payload.d) Object.assign(places, payload.d.streams);
      if (!('t' in payload)) continue;
      const [epoch = ''] = places[payload.t] ?? [];
      places[payload.t] = [epoch, payload.s];
    }
    return places;
  }

  /** Resolves when a payload with this op has come. */
  until(op: Op, count = 1): Promise<void> {
    return this.raw.until(() => this.ops.filter((each) => each === op).length >= count);
  }

  /** Sends PING and resolves with its answer, which comes after everything that was sent before. */
  async ping(): Promise<void> {
    const before = this.ops.filter((op) => op === 'PONG').length;
    this.raw.sendText('{"op":"PING"}');
    await this.until('PONG', before + 1);
  }

  /** Cuts the connection. */
  [Symbol.dispose](): void {
    this.raw[Symbol.dispose]();
  }
}
