import { signal, type ReadonlySignal } from '@preact/signals';
import type { Id, UserSummary } from '@hearth/protocol';
import type { Client, SdkClock } from '@hearth/sdk';

/** Somebody who wrote within this time is shown; they report it more often. */
const SHOWN_MS = 8_000;

/** More are not shown by name. */
const MOST_PEOPLE = 20;

interface Writing {
  readonly user: UserSummary;
  readonly untilMs: number;
}

/** The people who are writing in the channels that are watched. */
export class Typing implements Disposable {
  readonly #people = signal<ReadonlyMap<Id, readonly Writing[]>>(new Map());
  readonly #clock: SdkClock;
  readonly #offs: readonly (() => void)[];
  #stopTimer: (() => void) | undefined;

  constructor(client: Pick<Client, 'on'>, clock: SdkClock, ownId: Id | undefined) {
    this.#clock = clock;
    this.#offs = [
      client.on('typing', ({ channel_id: channel, user }) => {
        if (user.id !== ownId) this.#add(channel, user);
      }),
      client.on('channelMessage', ({ message }) => {
        if (message.user !== undefined) this.#remove(message.channel_id, message.user.id);
      }),
    ];
  }

  /** By their channels, those who began first come first. */
  get people(): ReadonlySignal<ReadonlyMap<Id, readonly { readonly user: UserSummary }[]>> {
    return this.#people;
  }

  [Symbol.dispose](): void {
    this.#stopTimer?.();
    for (const off of this.#offs) off();
  }

  #add(channel: Id, user: UserSummary): void {
    const untilMs = this.#clock.now() + SHOWN_MS;
    const known = this.#people.peek().get(channel) ?? [];
    const isKnown = known.some((each) => each.user.id === user.id);
    const writing = isKnown
      ? known.map((each) => (each.user.id === user.id ? { user, untilMs } : each))
      : [...known, { user, untilMs }].slice(-MOST_PEOPLE);
    this.#show(channel, writing);
    this.#stopTimer ??= this.#clock.after(SHOWN_MS, () => this.#expire());
  }

  #remove(channel: Id, user: Id): void {
    const known = this.#people.peek().get(channel) ?? [];
    const others = known.filter((each) => each.user.id !== user);
    if (others.length < known.length) this.#show(channel, others);
  }

  #expire(): void {
    this.#stopTimer = undefined;
    const nowMs = this.#clock.now();
    const left = [...this.#people.peek()].flatMap(([channel, people]) => {
      const writing = people.filter(({ untilMs }) => untilMs > nowMs);
      return writing.length === 0 ? [] : [[channel, writing] as const];
    });
    this.#people.value = new Map(left);
    const ends = left.flatMap(([, people]) => people.map(({ untilMs }) => untilMs));
    if (ends.length === 0) return;
    this.#stopTimer = this.#clock.after(Math.min(...ends) - nowMs, () => this.#expire());
  }

  #show(channel: Id, writing: readonly Writing[]): void {
    const people = new Map(this.#people.peek());
    if (writing.length === 0) people.delete(channel);
    else people.set(channel, writing);
    this.#people.value = people;
  }
}
