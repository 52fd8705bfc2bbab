import { signal, type ReadonlySignal } from '@preact/signals';
import { parseId, type Id } from '@hearth/protocol';
import { readStored, writeStored } from '../lib/storage.ts';

interface Kept {
  /** The channel where the reader was last, by the ids of communities. */
  readonly channels: Readonly<Record<string, string>>;
  /** The categories that are folded. */
  readonly folded: readonly string[];
}

/** What the browser remembers of communities: where the reader was in each, and what they have folded. */
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
    const { channels, folded } = this.#kept.peek();
    if (channels[community] === channel) return;
    this.#keep({ channels: { ...channels, [community]: channel }, folded });
  }

  isFolded(category: Id): boolean {
    return this.#kept.value.folded.includes(category);
  }

  fold(category: Id, isFolded: boolean): void {
    const { channels, folded } = this.#kept.peek();
    const others = folded.filter((id) => id !== category);
    this.#keep({ channels, folded: isFolded ? [...others, category] : others });
  }

  get kept(): ReadonlySignal<Kept> {
    return this.#kept;
  }

  #keep(kept: Kept): void {
    this.#kept.value = kept;
    writeStored(this.#storage, this.#key, JSON.stringify(kept));
  }
}

function parsed(text: string | undefined): Kept {
  const nothing = { channels: {}, folded: [] };
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value !== 'object' || value === null) return nothing;
    const channels: unknown = Reflect.get(value, 'channels');
    const folded: unknown = Reflect.get(value, 'folded');
    return {
      channels: isTexts(channels) ? channels : {},
      folded: Array.isArray(folded) ? folded.filter((id) => typeof id === 'string') : [],
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
