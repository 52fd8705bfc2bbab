import { signal, type ReadonlySignal } from '@preact/signals';

/** Things on their way, in order. */
export class KeyedList<Item extends { readonly key: string }> {
  readonly #items = signal<readonly Item[]>([]);

  get all(): ReadonlySignal<readonly Item[]> {
    return this.#items;
  }

  find(key: string): Item | undefined {
    return this.#items.peek().find((item) => item.key === key);
  }

  /** Removes all of them, and returns them. */
  take(): readonly Item[] {
    const all = this.#items.peek();
    this.#items.value = [];
    return all;
  }

  add(...items: readonly Item[]): void {
    this.#items.value = [...this.#items.peek(), ...items];
  }

  addBefore(...items: readonly Item[]): void {
    this.#items.value = [...items, ...this.#items.peek()];
  }

  change(key: string, how: (item: Item) => Item): void {
    this.#items.value = this.#items.peek().map((item) => (item.key === key ? how(item) : item));
  }

  drop(key: string): void {
    this.#items.value = this.#items.peek().filter((item) => item.key !== key);
  }
}
