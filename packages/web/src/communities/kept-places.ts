import { signal, type ReadonlySignal } from '@preact/signals';
import { parseId, type Id } from '@hearth/protocol';
import { readStored, writeStored } from '../lib/storage.ts';

interface Kept {
  /** The channel where the reader was last, by the ids of communities. */
  readonly channels: Readonly<Record<string, string>>;
  /** The categories that are folded. */
  readonly folded: readonly string[];
  /** True if the members beside a channel are hidden. */
  readonly hidesMembers: boolean;
}

/** Memories of the browser about communities: where the reader was in each, and what they have folded. */
export class KeptPlaces {
  readonly #storage: Storage | undefined;
  readonly #key: string;
  readonly #kept;

  /** `ownKey` separates what different accounts of a browser keep. */
  constructor(storage: Storage | undefined, ownKey: string) {
    this.#storage = storage;
    this.#key = `hearth.communities ${ownKey}`;
    this.#kept = signal(parsed(readStored(storage, this.#key)));
  }

  /** The channel of a community where the reader was last. */
  lastChannel(community: Id): Id | undefined {
    const id = this.#kept.peek().channels[community];
    return id === undefined ? undefined : parseId(id);
  }

  rememberChannel(community: Id, channel: Id): void {
    if (this.#kept.peek().channels[community] === channel) return;
    this.#keep(({ channels }) => ({ channels: { ...channels, [community]: channel } }));
  }

  isFolded(category: Id): boolean {
    return this.#kept.value.folded.includes(category);
  }

  fold(category: Id, isFolded: boolean): void {
    this.#keep(({ folded }) => {
      const others = folded.filter((id) => id !== category);
      return { folded: isFolded ? [...others, category] : others };
    });
  }

  get hidesMembers(): boolean {
    return this.#kept.value.hidesMembers;
  }

  hideMembers(isHidden: boolean): void {
    this.#keep(() => ({ hidesMembers: isHidden }));
  }

  get kept(): ReadonlySignal<Kept> {
    return this.#kept;
  }

  #keep(change: (kept: Kept) => Partial<Kept>): void {
    // Another window may have changed it.
    const stored = readStored(this.#storage, this.#key);
    const before = stored === undefined ? this.#kept.peek() : parsed(stored);
    const kept = { ...before, ...change(before) };
    this.#kept.value = kept;
    writeStored(this.#storage, this.#key, JSON.stringify(kept));
  }
}

function parsed(text: string | undefined): Kept {
  const nothing = { channels: {}, folded: [], hidesMembers: false };
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value !== 'object' || value === null) return nothing;
    const channels: unknown = Reflect.get(value, 'channels');
    const folded: unknown = Reflect.get(value, 'folded');
    return {
      channels: isTexts(channels) ? channels : {},
      folded: Array.isArray(folded) ? folded.filter((id) => typeof id === 'string') : [],
      hidesMembers: Reflect.get(value, 'hidesMembers') === true,
    };
  } catch {
    return nothing;
  }
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((each) => typeof each === 'string')
  );
}
