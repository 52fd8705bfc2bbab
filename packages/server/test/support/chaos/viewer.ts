import type { AccountEvent, Id } from '@hearth/protocol';
import { accountEventSchema } from '@hearth/protocol/schemas';
import type { Person } from './person.ts';
import { View, type Placed } from './view.ts';

const PAUSE_MS = 20;

type Data<Op extends AccountEvent['op']> = Extract<
  AccountEvent,
  { readonly op: Op; readonly d: unknown }
>['d'];

/** An event as a client received it. */
export interface Received {
  readonly stream: string;
  readonly epoch: string;
  readonly s: number;
  readonly event: Placed;
}

/** A device of somebody: it connects to any gateway, again and again, and shows one community. */
export class Viewer {
  readonly person: Person;
  readonly received: Received[] = [];
  readonly #community: Id;
  readonly #view: View;
  #places = new Map<string, [string, number]>();
  #socket: WebSocket | undefined;
  #isIn = false;
  #isDone = false;
  /** The first thing that went wrong. */
  #fault: unknown;

  constructor(person: Person, community: Id) {
    this.person = person;
    this.#community = community;
    this.#view = new View(person, community);
    this.#connect();
  }

  /** The messages that it shows of each channel; undefined while it reads or is not connected. Throws what went wrong. */
  get shown(): ReturnType<() => View['shown']> | undefined {
    if (this.#fault !== undefined) throw this.#fault;
    return this.#isIn && !this.#view.isReading ? this.#view.shown : undefined;
  }

  /** The streams of communities that it follows. */
  get streams(): readonly string[] {
    return [...this.#places.keys()].filter((name) => /^[crm]:/.test(name)).toSorted();
  }

  close(): void {
    this.#isDone = true;
    this.#socket?.close();
  }

  #connect(): void {
    const socket = new WebSocket(`${this.person.gateway()}?v=2`);
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      try {
        this.#take(accountEventSchema.parse(JSON.parse(String(data))));
      } catch (error) {
        this.#fault ??= new Error(`${this.person.name} received ${data}`, { cause: error });
      }
    };
    socket.onclose = () => {
      this.#isIn = false;
      if (!this.#isDone) setTimeout(() => this.#connect(), PAUSE_MS);
    };
  }

  #take(event: AccountEvent): void {
    if ('t' in event && 's' in event) return this.#takePlaced(event as Placed);
    if (event.op === 'HELLO') this.#authenticate();
    else if (event.op === 'READY') this.#begin(event.d);
    else if (event.op === 'RESUMED') this.#resume(event.d);
    else if (event.op === 'STREAM_OPEN') {
      this.#places.set(event.d.stream, [event.d.epoch, event.d.s]);
      void this.#view.open(event.d.stream);
    } else if (event.op === 'STREAM_CLOSE') {
      this.#places.delete(event.d.stream);
      this.#view.close(event.d.stream);
    }
  }

  #authenticate(): void {
    const resume = Object.fromEntries(this.#places);
    const d = { token: this.person.token, ...(this.#places.size > 0 && { resume }) };
    this.#socket?.send(JSON.stringify({ op: 'AUTHENTICATE', d }));
  }

  #begin({ recovered = [], communities = [], streams }: Data<'READY'>): void {
    this.#places = placesOf(streams);
    const own = communities.find(({ id }) => id === this.#community);
    this.#view.reset(own?.channels ?? [], recovered);
    this.#isIn = true;
  }

  #resume({ recovered, streams }: Data<'RESUMED'>): void {
    for (const name of this.#places.keys()) {
      if (!recovered.includes(name)) this.#view.close(name);
    }
    this.#places = placesOf(streams);
    for (const name of this.#places.keys()) {
      if (!recovered.includes(name)) void this.#view.open(name);
    }
    this.#isIn = true;
  }

  #takePlaced(event: Placed): void {
    const { t: stream, s } = event;
    const [epoch, last] = this.#places.get(stream) ?? [];
    if (epoch === undefined || last === undefined) {
      throw new Error(`${this.person.name} does not follow ${stream}`);
    }
    if (s !== last + 1)
      throw new Error(`${this.person.name} has ${stream} up to ${last}, not ${s}`);
    this.#places.set(stream, [epoch, s]);
    this.received.push({ stream, epoch, s, event });
    this.#view.apply(event);
  }
}

function placesOf(streams: Readonly<Record<string, readonly [string, number]>>) {
  return new Map(
    Object.entries(streams).map(([name, [epoch, s]]) => [name, [epoch, s] as [string, number]]),
  );
}
