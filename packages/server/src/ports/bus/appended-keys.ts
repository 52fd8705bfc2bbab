import { idParts, type Id } from '@hearth/protocol';
import { KEY_REMEMBERED_MS, type AppendedKey } from './bus.ts';

/** How many keys the bus remembers. */
export const MOST_KEYS = 100_000;

const REMEMBERED_SECONDS = KEY_REMEMBERED_MS / 1_000;

/** More than one call adds, so that there are few after a while, but no call removes so many that others wait. */
const MOST_DROPPED = 16;

interface Remembered {
  readonly id: Id;
  readonly seconds: number;
}

/** The keys of recent appends. Their age is that of the identifiers. */
export class AppendedKeys {
  readonly #most: number;
  /** In the order of the identifiers. */
  readonly #keys = new Map<string, Remembered>();

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
    this.#keys.delete(key);
    this.#keys.set(key, { id, seconds });
    let dropped = 0;
    for (const [oldest, known] of this.#keys) {
      const mustGo = this.#keys.size > this.#most || isForgotten(known, seconds);
      if (!mustGo || dropped === MOST_DROPPED) return;
      this.#keys.delete(oldest);
      dropped += 1;
    }
  }
}

function isForgotten(known: Remembered, seconds: number): boolean {
  return seconds - known.seconds >= REMEMBERED_SECONDS;
}
