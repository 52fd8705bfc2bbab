import { communityStream, type AccountEvent, type Id } from '@hearth/protocol';
import { accountEventSchema } from '@hearth/protocol/schemas';
import type { Placed } from './channel-view.ts';
import type { Watched } from './community-view.ts';
import type { Person } from './person.ts';
import { View } from './view.ts';

const PAUSE_MS = 20;
const MOST_LOGGED = 150;
const MOST_LOGGED_CHARACTERS = 250;

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

/** A device of somebody: it connects to any gateway, again and again, and shows and watches one community. */
export class Viewer {
  readonly person: Person;
  readonly received: Received[] = [];
  readonly #community: Id;
  readonly #view: View;
  #places = new Map<string, [string, number]>();
  #socket: WebSocket | undefined;
  #isIn = false;
  #isDone = false;
  /** The number of WATCH that were sent and are not answered, so that what is watched is not known. */
  #watching = 0;
  #isWatching = false;
  /** The first thing that went wrong. */
  #fault: unknown;
  /** Payloads that it was sent lately, for people who look for a mistake. */
  readonly #lately: string[] = [];

  constructor(person: Person, community: Id) {
    this.person = person;
    this.#community = community;
    this.#view = new View(person, community);
    this.#connect();
  }

  /** The community that it shows; undefined while it reads or is not connected. Throws what went wrong. */
  get shown(): ReturnType<() => View['shown']> | undefined {
    if (this.#fault !== undefined) throw this.#fault;
    return this.#isIn && !this.#view.isReading ? this.#view.shown : undefined;
  }

  /** The members that it shows; undefined unless it watches the community. */
  get members(): readonly string[] | undefined {
    return this.#isWatching ? this.#view.members : undefined;
  }

  /** The streams of communities that it follows. */
  get streams(): readonly string[] {
    return [...this.#places.keys()].filter((name) => /^[crm]:/.test(name)).toSorted();
  }

  /** Payloads that it was sent lately. */
  get lately(): readonly string[] {
    return this.#lately;
  }

  /** Watches the community again, unless an answer is awaited. */
  watch(): void {
    if (!this.#isIn || this.#watching > 0) return;
    this.#watching += 1;
    this.#isWatching = false;
    this.#socket?.send(JSON.stringify({ op: 'WATCH', d: { communities: [this.#community] } }));
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
      [this.#isIn, this.#isWatching, this.#watching] = [false, false, 0];
      if (!this.#isDone) setTimeout(() => this.#connect(), PAUSE_MS);
    };
  }

  #take(event: AccountEvent): void {
    this.#lately.push(JSON.stringify(event).slice(0, MOST_LOGGED_CHARACTERS));
    if (this.#lately.length > MOST_LOGGED) this.#lately.shift();
    if ('t' in event && 's' in event) return this.#takePlaced(event as Placed);
    if (event.op === 'HELLO') this.#authenticate();
    else if (event.op === 'READY') this.#begin(event.d);
    else if (event.op === 'RESUMED') this.#resume(event.d);
    else if (event.op === 'STREAM_OPEN') {
      this.#places.set(event.d.stream, [event.d.epoch, event.d.s]);
      void this.#view.open(event.d.stream);
      // What was not kept may have been missed.
      this.watch();
    } else if (event.op === 'STREAM_CLOSE') {
      this.#places.delete(event.d.stream);
      this.#view.close(event.d.stream);
    } else if (event.op === 'WATCHED') this.#watched(event.d);
    else if (isWatched(event)) this.#takeWatched(event);
  }

  #authenticate(): void {
    const resume = Object.fromEntries(this.#places);
    const { token } = this.person;
    const d = { ...(token !== '' && { token }), ...(this.#places.size > 0 && { resume }) };
    this.#socket?.send(JSON.stringify({ op: 'AUTHENTICATE', d }));
  }

  #begin({ recovered = [], communities = [], streams }: Data<'READY'>): void {
    this.#places = placesOf(streams);
    this.#view.reset(
      communities.find(({ id }) => id === this.#community),
      recovered,
    );
    this.#isIn = true;
    this.watch();
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
    this.watch();
  }

  #watched({ communities }: Data<'WATCHED'>): void {
    this.#watching -= 1;
    this.#isWatching = communities.some(({ id }) => id === this.#community);
    if (this.#isWatching) this.#view.watch();
  }

  #takeWatched(event: Watched): void {
    // Watching gives nobody more than the stream does.
    if (!this.#places.has(communityStream(this.#community))) {
      throw new Error(`${this.person.name} does not see the members`);
    }
    this.#view.apply(event);
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

function isWatched(event: AccountEvent): event is Watched {
  return ['MEMBER_CREATE', 'MEMBER_UPDATE', 'MEMBER_DELETE'].includes(event.op);
}

function placesOf(streams: Readonly<Record<string, readonly [string, number]>>) {
  return new Map(
    Object.entries(streams).map(([name, [epoch, s]]) => [name, [epoch, s] as [string, number]]),
  );
}
