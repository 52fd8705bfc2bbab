import type { Id } from '@hearth/protocol';
import type { IdSource } from './id-source.ts';
import { AppendedKeys } from './appended-keys.ts';
import type {
  Appended,
  AppendedKey,
  Bus,
  BusEvent,
  BusFollower,
  Delivery,
  JournalEvent,
  MostRemembered,
  Publication,
  StreamName,
  SubjectNumber,
  Subscription,
  Verdict,
} from './bus.ts';
import { StreamHeads } from './stream-heads.ts';
import { SubjectNumbers } from './subject-numbers.ts';

export interface MemoryBusOptions {
  readonly ids: Pick<IdSource, 'nextFor'>;
  /** The stream that has a journal. */
  readonly journaled: StreamName;
  /** The journal. It receives every appended event in order, before the followers do. */
  readonly keep: (event: BusEvent) => void;
  /** Events that were appended with a key before the process started, oldest first. */
  readonly appended?: readonly AppendedKey[];
  /** The numbers of streams, subjects and keys that are remembered. */
  readonly most?: MostRemembered;
}

/**
 * The embedded engine: fan-out within this process. It delivers within `publish`, whose promise resolves when slow
 * followers have taken the publication.
 */
export function memoryBus(options: MemoryBusOptions): Bus {
  return new MemoryBus(options);
}

/** A follower; one that was added twice has two of these. */
interface Following {
  readonly follower: BusFollower;
}

class MemoryBus implements Bus {
  readonly #options: MemoryBusOptions;
  readonly #heads: StreamHeads;
  readonly #subjects: SubjectNumbers;
  readonly #keys: AppendedKeys;
  /** Replaced instead of changed, so that a publication goes to those who followed when it was made. */
  #following: readonly Following[] = [];
  readonly #waiting: (() => void)[] = [];
  #isHanding = false;
  #isDisposed = false;

  constructor(options: MemoryBusOptions) {
    const { journaled, most, appended } = options;
    this.#options = options;
    // Every process has its own epoch, because its publications do not survive it.
    const epoch = crypto.randomUUID();
    this.#heads = new StreamHeads({ epoch, journaled, ...(most && { most: most.streams }) });
    this.#subjects = new SubjectNumbers(most?.subjects);
    this.#keys = new AppendedKeys(appended, most?.keys);
  }

  publish(publication: Publication): Promise<void> | undefined {
    if (this.#isDisposed) throw disposal();
    if ('end' in publication) return this.#inTurn(publication);
    return this.#place(publication.stream, publication.event);
  }

  append(event: JournalEvent): Id | Promise<Id> {
    if (this.#isDisposed) throw disposal();
    return this.#options.ids.nextFor((id) => this.#append(id, event));
  }

  appendOnce(event: JournalEvent, key: string): Appended | Promise<Appended> {
    if (this.#isDisposed) throw disposal();
    return this.#options.ids.nextFor((id) => this.#appendOnce(id, event, key));
  }

  publishNext(publication: Publication, place: SubjectNumber): Verdict | Promise<Verdict> {
    if (this.#isDisposed) throw disposal();
    const verdict = this.#subjects.take(place);
    if (verdict.state !== 'taken') return verdict;
    const slow = this.publish(publication);
    return slow === undefined ? verdict : slow.then(() => verdict);
  }

  subscribe(follower: BusFollower): Subscription {
    const following: Following = { follower };
    this.#following = [...this.#following, following];
    follower.begin({ heads: this.#heads.copy(), kept: [] });
    return {
      current: () => (this.#isHanding ? this.#handedOn() : undefined),
      unsubscribe: () => {
        this.#following = this.#following.filter((other) => other !== following);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    this.#following = [];
  }

  #append(id: Id, { op, d }: JournalEvent): Id | Promise<Id> {
    if (this.#isDisposed) throw disposal();
    const event = { op, d: { id, ...d } };
    this.#options.keep(event);
    const slow = this.#place(this.#options.journaled, event);
    return slow === undefined ? id : slow.then(() => id);
  }

  #appendOnce(next: Id, event: JournalEvent, key: string): Appended | Promise<Appended> {
    const earlier = this.#keys.find(key, next);
    if (earlier !== undefined) return { id: earlier, isNew: false };
    const appended = this.#append(next, event);
    this.#keys.add(key, next);
    return appended instanceof Promise
      ? appended.then((id) => ({ id, isNew: true }))
      : { id: appended, isNew: true };
  }

  #place(stream: StreamName, event: BusEvent): Promise<void> | undefined {
    const { epoch, position } = this.#heads.advance(stream);
    return this.#inTurn({ stream, event, epoch, position });
  }

  // A publication by a follower waits until every follower has received the current one.
  #inTurn(delivery: Delivery): Promise<void> | undefined {
    const present = this.#following;
    const waiting = this.#waiting;
    if (this.#isHanding) {
      return new Promise((resolve) => {
        waiting.push(() => resolve(this.#handOn(present, delivery)));
      });
    }
    this.#isHanding = true;
    const slow = this.#handOn(present, delivery);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) next();
    this.#isHanding = false;
    return slow;
  }

  /** Resolves when slow followers have taken the delivery; undefined if there are none. */
  #handOn(present: readonly Following[], delivery: Delivery): Promise<void> | undefined {
    let slow: Promise<void>[] | undefined;
    for (const following of present) {
      if (!this.#following.includes(following)) continue;
      const taken = hand(following.follower, delivery);
      if (taken !== undefined) (slow ??= []).push(taken);
    }
    return slow === undefined ? undefined : Promise.all(slow).then(() => {});
  }

  // For a follower that asks while deliveries still wait.
  #handedOn(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

function disposal(): Error {
  return new Error('the bus is disposed');
}

// A follower's failure must reach neither the publisher nor the other followers. The follower reports it itself.
function hand(follower: BusFollower, delivery: Delivery): Promise<void> | undefined {
  try {
    const taken = follower.take(delivery);
    return taken instanceof Promise ? taken.catch(() => {}) : undefined;
  } catch {
    return undefined;
  }
}
