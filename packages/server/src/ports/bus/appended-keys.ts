import { idParts, type Id } from '@hearth/protocol';
import { KEY_REMEMBERED_MS, type AppendedKey } from './bus.ts';

/** The number of keys that the bus remembers. */
export const MOST_KEYS = 100_000;

const REMEMBERED_SECONDS = KEY_REMEMBERED_MS / 1_000;

/** More than one call adds, so that there are few after a while, but no call removes so many that others wait. */
const MOST_DROPPED = 16;

interface Remembered {
  readonly key: string;
  readonly id: Id;
  readonly seconds: number;
  /** The one that was added after it. */
  next: Remembered | undefined;
}

/** The keys of recent appends. Their age is that of the identifiers. */
export class AppendedKeys {
  readonly #most: number;
  readonly #keys = new Map<string, Remembered>();
  // A list of its own, in the order of the identifiers, because a Map takes longer to find its first key the more it has
  // deleted before that.
  #oldest: Remembered | undefined;
  #newest: Remembered | undefined;

  constructor(known: Iterable<AppendedKey> = [], most = MOST_KEYS) {
    this.#most = most;
    for (const { key, id } of known) this.add(key, id);
  }

  /** The event that was appended with a key; undefined if that is forgotten when `id` is appended. */
  find(key: string, id: Id): Id | undefined {
    const known = this.#keys.get(key);
    if (known === undefined || isForgotten(known, idParts(id).seconds)) return undefined;
    return known.id;
  }

  /** Remembers the key of an event that was just appended. */
  add(key: string, id: Id): void {
    const { seconds } = idParts(id);
    const added: Remembered = { key, id, seconds, next: undefined };
    this.#keys.set(key, added);
    if (this.#newest === undefined) this.#oldest = added;
    else this.#newest.next = added;
    this.#newest = added;
    for (let dropped = 0; dropped < MOST_DROPPED; dropped += 1) {
      const oldest = this.#oldest;
      if (oldest === undefined || oldest === added) return;
      const isKnown = this.#keys.get(oldest.key) === oldest;
      const mustGo = this.#keys.size > this.#most || isForgotten(oldest, seconds);
      if (isKnown && !mustGo) return;
      if (isKnown) this.#keys.delete(oldest.key);
      this.#oldest = oldest.next;
    }
  }
}

function isForgotten(known: Remembered, seconds: number): boolean {
  return seconds - known.seconds >= REMEMBERED_SECONDS;
}
