import { signal, type ReadonlySignal } from '@preact/signals';
import { compareIds, type Id } from '@hearth/protocol';

/** Messages that the reader chooses, to do something with all of them. */
export class Selection {
  readonly #ids = signal<ReadonlySet<Id> | undefined>(undefined);
  readonly #most: number;
  #last: Id | undefined;

  /** `most` is how many can be chosen at once. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Undefined unless the reader is choosing. */
  get ids(): ReadonlySignal<ReadonlySet<Id> | undefined> {
    return this.#ids;
  }

  get isFull(): boolean {
    return (this.#ids.value?.size ?? 0) >= this.#most;
  }

  /** Begins to choose, with this message. */
  begin(id: Id): void {
    this.#last = id;
    this.#ids.value = new Set([id]);
  }

  /** Chooses a message, or no longer. */
  toggle(id: Id): void {
    const ids = new Set(this.#ids.peek());
    if (!ids.delete(id) && ids.size < this.#most) ids.add(id);
    this.#last = id;
    this.#ids.value = ids;
  }

  /** Chooses the messages from the one that was toggled last up to this one, out of `known`, as far as there is room. */
  extend(id: Id, known: readonly Id[]): void {
    const from = this.#last ?? id;
    const [first, last] = compareIds(from, id) < 0 ? [from, id] : [id, from];
    const between = known.filter(
      (each) => compareIds(each, first) >= 0 && compareIds(each, last) <= 0,
    );
    const ids = new Set([...(this.#ids.peek() ?? []), ...between]);
    this.#ids.value = new Set([...ids].slice(0, this.#most));
  }

  /** Messages that do not exist any more are not chosen. */
  drop(id: Id): void {
    const ids = this.#ids.peek();
    if (ids?.has(id) === true) this.#ids.value = new Set([...ids].filter((each) => each !== id));
  }

  end(): void {
    this.#last = undefined;
    this.#ids.value = undefined;
  }
}
