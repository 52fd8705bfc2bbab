/** Free places at the beginning before the others move up. */
const MOST_FREE = 1_024;

/** A first-in, first-out queue that does not move all its items whenever the first one leaves. */
export class Queue<Item> {
  #items: (Item | undefined)[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  /** The item at this distance from the first, or undefined. */
  at(index: number): Item | undefined {
    return this.#items[this.#first + index];
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#first];
    this.#items[this.#first] = undefined;
    this.#first += 1;
    if (this.length === 0) this.clear();
    else if (this.#first >= MOST_FREE && this.#first >= this.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }

  clear(): void {
    this.#items = [];
    this.#first = 0;
  }
}
