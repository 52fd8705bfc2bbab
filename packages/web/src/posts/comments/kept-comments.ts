import type { Id } from '@hearth/protocol';
import { readStored, writeStored } from '../../lib/storage.ts';

/** How many comments are kept, and how long all of them may be together. */
const MOST_KEPT = 20;
const MOST_CHARACTERS = 100_000;

type Kept = readonly (readonly [place: string, text: string])[];

/** The comments that somebody has begun to write, kept on the device; the oldest are forgotten. */
export class KeptComments {
  readonly #storage: Storage | undefined;
  readonly #key: string;

  constructor(storage: Storage | undefined, owner: Id | undefined) {
    this.#storage = storage;
    this.#key = `hearth.comments.${owner ?? 'visitor'}`;
  }

  /** What was written below a post or comment. */
  read(place: string): string | undefined {
    return this.#all().find(([at]) => at === place)?.[1];
  }

  /** Keeps what is written. An empty text is forgotten. */
  keep(place: string, text: string): void {
    const others = this.#all().filter(([at]) => at !== place);
    const all: Kept = text.trim() === '' ? others : [[place, text], ...others];
    let left = MOST_CHARACTERS;
    const kept = all.slice(0, MOST_KEPT).filter(([, { length }]) => (left -= length) >= 0);
    writeStored(this.#storage, this.#key, kept.length === 0 ? undefined : JSON.stringify(kept));
  }

  #all(): Kept {
    const stored = readStored(this.#storage, this.#key);
    if (stored === undefined) return [];
    try {
      const all: unknown = JSON.parse(stored);
      return Array.isArray(all) ? all.filter(isKept) : [];
    } catch {
      return [];
    }
  }
}

function isKept(entry: unknown): entry is Kept[number] {
  return (
    Array.isArray(entry) && entry.length === 2 && entry.every((part) => typeof part === 'string')
  );
}
