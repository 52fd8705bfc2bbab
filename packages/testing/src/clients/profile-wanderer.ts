import { expect } from 'bun:test';
import type { Id } from '@hearth/protocol';
import { messageListSchema } from '@hearth/protocol/schemas';
import { ProfileClient, resumeQuery, type PlacedEvent, type Place } from './profile-client.ts';
import type { ProfileLoad } from './profile-load.ts';
import type { TestInstance } from '../instances/test-instance.ts';
import { OPCODES } from './web-socket-frames.ts';

/** Returns random whole numbers from 0 to below `bound`. */
export type Dice = (bound: number) => number;

/** Random numbers that are always the same for the same seed. */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  return (bound) => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}

/** Counts of what happened to wanderers, so that a test can check that it covered the cases. */
export interface Adventures {
  recovered: number;
  gaps: number;
  thrownOut: number;
}

/** The times for which a wanderer stays and leaves, in messages that are posted meanwhile. */
export interface WandererHabits {
  readonly stays: number;
  readonly away: number;
  readonly pauses: number;
  /** The percentage of visits in which it stops reading for a while. */
  readonly slowVisits: number;
}

/** A client of profile 1 that comes and goes, and keeps a log of all messages as the specification advises. */
export class Wanderer {
  readonly adventures: Adventures = { recovered: 0, gaps: 0, thrownOut: 0 };
  readonly #log = new Set<Id>();
  readonly #instance: TestInstance;
  readonly #load: ProfileLoad;
  readonly #roll: Dice;
  #place: Place | undefined;
  #lastId: Id | undefined;

  constructor(instance: TestInstance, load: ProfileLoad, roll: Dice) {
    this.#instance = instance;
    this.#load = load;
    this.#roll = roll;
  }

  /** The ids of its messages in the order in which it shows them. */
  get log(): readonly Id[] {
    return [...this.#log];
  }

  /** Comes and goes until nothing more is posted. */
  async wander({ away, ...habits }: WandererHabits): Promise<void> {
    while (!this.#load.isOver) {
      using client = await this.#connect();
      const gap = this.#greeted(client);
      await this.#stay(client, habits);
      await this.#leave(client);
      this.#note(client, await gap);
      await this.#load.more(this.#roll(away));
    }
  }

  /** Connects for the last time, and stays until it has the event at `head`. */
  async settle(head: number): Promise<void> {
    using client = await this.#connect();
    const gap = await this.#greeted(client);
    await client.raw.until(() => client.place.s >= head);
    this.#note(client, gap);
  }

  #connect(): Promise<ProfileClient> {
    const query = this.#place === undefined ? 'v=1' : resumeQuery(this.#place);
    return ProfileClient.connect(this.#instance, query);
  }

  /** Takes its place from HELLO, and resolves with the messages that it has to read from the history. */
  async #greeted(client: ProfileClient): Promise<readonly Id[]> {
    const isGreeted = await client.raw
      .until(() => client.payloads.length > 0)
      .then(
        () => true,
        () => false,
      );
    if (!isGreeted) return [];
    const { hello } = client;
    if (this.#place === undefined) {
      expect(hello.recovered).toBeNull();
      return this.#missed();
    }
    if (hello.recovered === true) {
      this.adventures.recovered += 1;
      expect({ epoch: hello.epoch, s: hello.s }).toEqual(this.#place);
      return [];
    }
    this.adventures.gaps += 1;
    expect(hello.recovered).toBe(false);
    return this.#missed();
  }

  async #missed(): Promise<readonly Id[]> {
    const limit = 1 + this.#roll(100);
    const ids: Id[] = [];
    for (let after = this.#lastId ?? '0'; ; after = ids.at(-1) ?? after) {
      const { rest } = this.#instance.addresses;
      const answer = await fetch(`${rest}/messages?after=${after}&limit=${limit}`);
      const page = messageListSchema.parse(await answer.json()).toReversed();
      ids.push(...page.map(({ id }) => id));
      if (page.length < limit) return ids;
    }
  }

  async #stay(
    client: ProfileClient,
    { stays, pauses, slowVisits }: Omit<WandererHabits, 'away'>,
  ): Promise<void> {
    if (this.#roll(100) < slowVisits) {
      client.raw.stopReading();
      await this.#load.more(pauses / 2 + this.#roll(pauses / 2));
      client.raw.readOn();
    } else if (this.#roll(4) === 0) return;
    await this.#load.more(this.#roll(stays));
  }

  async #leave(client: ProfileClient): Promise<void> {
    if (this.#roll(2) === 0) return client[Symbol.dispose]();
    client.raw.send(OPCODES.close, Buffer.from([0x03, 0xe8]));
    await client.raw.ended;
  }

  /** Adds the messages of a connection: first those that it missed, then those that are new. */
  #note(client: ProfileClient, gap: readonly Id[]): void {
    if (client.payloads.length === 0) return;
    const { hello, events } = client;
    expectUnbroken(hello.s, events);
    if (client.ops.at(-1) === 'DISCONNECT' && client.goodbye.reason === 'too_slow')
      this.adventures.thrownOut += 1;
    for (const id of [...gap, ...events.map(({ d }) => d.id)]) this.#log.add(id);
    this.#place = client.place;
    this.#lastId = this.log.at(-1);
  }
}

function expectUnbroken(from: number, events: readonly PlacedEvent[]): void {
  expect(events.map(({ s }) => s)).toEqual(events.map((_, index) => from + 1 + index));
}
