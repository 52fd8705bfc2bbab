import { readStored, writeStored } from '../lib/storage.ts';

interface KeptDraftsOptions {
  readonly storage: Storage | undefined;
  readonly key: string;
  /**
   * The number of drafts that are kept, and the length that all of them may have together; without them, nothing is
   * forgotten.
   */
  readonly most?: number;
  readonly mostCharacters?: number;
}

type Kept = readonly (readonly [place: string, text: string])[];

/** Drafts of somebody at several places, kept on the device; the oldest are forgotten. */
export class KeptDrafts {
  readonly #options: KeptDraftsOptions;

  constructor(options: KeptDraftsOptions) {
    this.#options = options;
  }

  /** Returns the draft of a place. */
  read(place: string): string | undefined {
    return this.#all().find(([at]) => at === place)?.[1];
  }

  /** Keeps what is written. An empty text is forgotten. */
  keep(place: string, text: string): void {
    const { storage, key, most, mostCharacters: left = Infinity } = this.#options;
    const others = this.#all().filter(([at]) => at !== place);
    const all: Kept = text.trim() === '' ? others : [[place, text], ...others];
    let length = 0;
    const kept = all.slice(0, most).filter(([, each]) => (length += each.length) <= left);
    writeStored(storage, key, kept.length === 0 ? undefined : JSON.stringify(kept));
  }

  #all(): Kept {
    const stored = readStored(this.#options.storage, this.#options.key);
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
