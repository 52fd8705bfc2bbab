import { LRUCache } from 'lru-cache';
import { growingUpTo } from '../../lib/growing-up-to.ts';
import type { Change, ChangeKind, Database } from './database.ts';

/** A remembered value. */
export interface Remembered<Key, Value> {
  readonly key: Key;
  readonly value: Value;
  /** The ids of everything that it was made from. */
  readonly madeFrom: readonly string[];
  /** The part of the cache's size that it takes. */
  readonly size?: number;
}

/** Remembers what was read, unless something was changed since the reading began. */
export type Remember<Key, Value> = (read: Iterable<Remembered<Key, Value>>) => void;

/** The most that is remembered: so many values, or values of so much size together. */
export type CacheBounds = { readonly max: number } | { readonly maxSize: number };

interface Entry<Value> {
  readonly value: Value;
  readonly madeFrom: readonly string[];
}

/**
 * The number of things of which it is known when they changed last. If more change during a reading, its result is not
 * remembered.
 */
const MOST_CHANGED = 1_000;

/** Remembers what was read of a database, until any process changes what it was made from. */
export class ChangeCache<Key extends string, Value> {
  readonly #database: Pick<Database, 'onChange' | 'hearChanges'>;
  readonly #kind: ChangeKind;
  readonly #entries: LRUCache<Key, Entry<Value>>;
  /** The keys of what was made from something that is not the key itself. */
  readonly #keysOf = new Map<string, Set<Key>>();
  /** Counts changes of this kind. */
  #changes = 0;
  /** At which count things changed last, in the order of the changes. */
  readonly #changedAt = new Map<string, number>();
  /** Anything may have changed up to this count. */
  #unknownUpTo = 0;
  #hasLooked = false;
  #isCertain = false;

  constructor(
    database: Pick<Database, 'onChange' | 'hearChanges'>,
    kind: ChangeKind,
    bounds: CacheBounds,
  ) {
    this.#database = database;
    this.#kind = kind;
    this.#entries = new LRUCache<Key, Entry<Value>>({
      ...('max' in bounds ? growingUpTo(bounds.max) : bounds),
      dispose: ({ madeFrom }, key) => this.#unindex(key, madeFrom),
    });
    database.onChange((changes) => this.#forget(changes));
  }

  /** Returns what is remembered, if it is certain that it was not changed before this turn of the event loop. */
  get(key: Key): Value | undefined {
    // Once in a turn, because checking takes a tenth of the time of a small answer: a request of this turn was made
    // before the turn began, so it cannot expect what was committed since.
    if (!this.#hasLooked) {
      this.#hasLooked = true;
      setImmediate(() => {
        this.#hasLooked = false;
      });
      this.#isCertain = this.#database.hearChanges();
    }
    return this.#isCertain ? this.#entries.get(key)?.value : undefined;
  }

  /** Returns what is remembered of these keys, and what `read` finds of the others; that is remembered, too. */
  async all(
    keys: Iterable<Key>,
    read: (missing: readonly Key[]) => Promise<readonly Remembered<Key, Value>[]>,
  ): Promise<ReadonlyMap<Key, Value>> {
    const found = new Map<Key, Value>();
    const missing: Key[] = [];
    for (const key of new Set(keys)) {
      const known = this.get(key);
      if (known === undefined) missing.push(key);
      else found.set(key, known);
    }
    if (missing.length === 0) return found;
    const remember = this.reading();
    const others = await read(missing);
    remember(others);
    for (const { key, value } of others) found.set(key, value);
    return found;
  }

  /** To be called before reading. Returns what remembers the result, which may be outdated by then. */
  reading(): Remember<Key, Value> {
    const isCertain = this.#database.hearChanges();
    const begunAt = this.#changes;
    return (read) => {
      if (!isCertain || !this.#database.hearChanges() || begunAt < this.#unknownUpTo) return;
      for (const { key, value, madeFrom, size } of read) {
        if (madeFrom.some((id) => (this.#changedAt.get(id) ?? 0) > begunAt)) continue;
        this.#entries.set(key, { value, madeFrom }, size === undefined ? {} : { size });
        // What is too large is not kept.
        if (this.#entries.has(key)) this.#index(key, madeFrom);
      }
    };
  }

  /** Forgets what was made from something, which this process knows to have changed before it hears of it. */
  outdate(id: string): void {
    this.#forget([{ kind: this.#kind, id }]);
  }

  /** Forgets what is remembered of a key. */
  delete(key: Key): void {
    this.#entries.delete(key);
  }

  /** Forgets everything, and what is being read now is not remembered. */
  clear(): void {
    this.#changes += 1;
    this.#unknownUpTo = this.#changes;
    this.#changedAt.clear();
    this.#entries.clear();
  }

  #forget(changes: readonly Change[] | 'unknown'): void {
    if (changes === 'unknown') {
      this.clear();
      return;
    }
    for (const { kind, id } of changes) {
      if (kind !== this.#kind) continue;
      this.#note(id);
      for (const key of this.#keysOf.get(id) ?? []) this.#entries.delete(key);
      // Guarantee: a key that is an id is the one of this type.
      if (this.#entries.peek(id as Key)?.madeFrom.includes(id)) this.#entries.delete(id as Key);
    }
  }

  #note(id: string): void {
    this.#changes += 1;
    this.#changedAt.delete(id);
    this.#changedAt.set(id, this.#changes);
    if (this.#changedAt.size <= MOST_CHANGED) return;
    for (const [oldest, at] of this.#changedAt.entries().take(1)) {
      this.#changedAt.delete(oldest);
      this.#unknownUpTo = at;
    }
  }

  #index(key: Key, madeFrom: readonly string[]): void {
    for (const id of madeFrom) {
      if (id !== key) this.#keysOf.getOrInsertComputed(id, () => new Set()).add(key);
    }
  }

  #unindex(key: Key, madeFrom: readonly string[]): void {
    for (const id of madeFrom) {
      const keys = this.#keysOf.get(id);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysOf.delete(id);
    }
  }
}
