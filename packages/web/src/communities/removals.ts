import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Id } from '@hearth/protocol';
import type { RemovedCommunity } from './community-source.ts';

type Removed = ReadonlyMap<Id, RemovedCommunity>;

/** Communities that are none of the reader's any more, though the reader has not left or deleted them here. */
export class Removals {
  readonly #removed: ReadonlySignal<Removed>;
  /** The communities that the reader ends here now. */
  readonly #ending = signal<ReadonlySet<Id>>(new Set());
  /** The communities that they have ended here. */
  readonly #ended = signal<ReadonlySet<RemovedCommunity>>(new Set());
  readonly #seen = signal<ReadonlySet<RemovedCommunity>>(new Set());
  readonly #others: ReadonlySignal<readonly RemovedCommunity[]>;

  constructor(removed: ReadonlySignal<Removed>) {
    this.#removed = removed;
    this.#others = computed(() =>
      [...removed.value]
        .filter(([id, each]) => !this.#ending.value.has(id) && !this.#ended.value.has(each))
        .map(([, each]) => each),
    );
    this.unseen = computed(() => this.#others.value.find((each) => !this.#seen.value.has(each)));
  }

  /** One of which the reader does not know yet. */
  readonly unseen: ReadonlySignal<RemovedCommunity | undefined>;

  /** The one that had this slug. */
  at(slug: string): RemovedCommunity | undefined {
    return this.#others.value.findLast((each) => each.slug === slug.toLowerCase());
  }

  /** The reader knows of it now. */
  see(removed: RemovedCommunity): void {
    if (!this.#seen.peek().has(removed))
      this.#seen.value = new Set([...this.#seen.peek(), removed]);
  }

  /** The reader leaves or deletes a community by `act`. Rejects if that does. */
  async during(id: Id, act: Promise<unknown>): Promise<void> {
    this.#ending.value = new Set([...this.#ending.peek(), id]);
    try {
      await act;
      const own = this.#removed.peek().get(id);
      if (own !== undefined) this.#ended.value = new Set([...this.#ended.peek(), own]);
    } finally {
      this.#ending.value = new Set([...this.#ending.peek()].filter((each) => each !== id));
    }
  }
}
