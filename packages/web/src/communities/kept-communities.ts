import type { Signal } from '@preact/signals';
import type { Id } from '@hearth/protocol';
import type { MyCommunity, SdkClock } from '@hearth/sdk';
import type { KeptStorage } from '../lib/kept-storage.ts';

/** They are stored at most this often. */
const SAVE_AFTER_MS = 2_000;

/** The form in which the browser keeps them; other forms are ignored. */
interface Kept {
  readonly form: 1;
  /** Whose they are. */
  readonly owner: Id;
  readonly communities: readonly MyCommunity[];
}

export interface KeptCommunitiesOptions {
  readonly communities: Signal<readonly MyCommunity[] | undefined>;
  readonly storage: KeptStorage;
  readonly key: string;
  /** The account that reads; undefined for a visitor. */
  readonly owner: Id | undefined;
  readonly clock: Pick<SdkClock, 'after'>;
}

/** The reader's communities as they were at the last visit, for a page that cannot reach the instance. */
export class KeptCommunities {
  readonly #options: KeptCommunitiesOptions;
  #shown: readonly MyCommunity[] | undefined;
  #isWaiting = false;

  constructor(options: KeptCommunitiesOptions) {
    this.#options = options;
    const { communities, owner, storage, key } = options;
    if (owner !== undefined) communities.subscribe(() => this.#saveLater(owner));
    // Others who use this browser should not learn of them.
    else storage.remove(key).catch(() => {});
  }

  /** Shows them, unless the instance has said which there are. Never rejects. */
  async show(): Promise<void> {
    const { communities, owner, storage, key } = this.#options;
    try {
      const kept = await storage.read(key);
      if (communities.peek() !== undefined || !isKept(kept) || kept.owner !== owner) return;
      this.#shown = kept.communities;
      communities.value = kept.communities;
    } catch {
      // The browser keeps nothing.
    }
  }

  #saveLater(owner: Id): void {
    const { communities, storage, key, clock } = this.#options;
    const isNews = (value = communities.peek()) => value !== undefined && value !== this.#shown;
    if (this.#isWaiting || !isNews()) return;
    this.#isWaiting = true;
    clock.after(SAVE_AFTER_MS, () => {
      this.#isWaiting = false;
      const all = communities.peek();
      if (all === undefined) return;
      const kept: Kept = { form: 1, owner, communities: all };
      storage.write(key, kept).catch(() => {});
    });
  }
}

function isKept(value: unknown): value is Kept {
  return (
    typeof value === 'object' &&
    value !== null &&
    Reflect.get(value, 'form') === 1 &&
    Array.isArray(Reflect.get(value, 'communities'))
  );
}
