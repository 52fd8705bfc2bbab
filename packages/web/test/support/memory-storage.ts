/** A browser's storage, for the duration of a test; a full one accepts nothing. */
export class MemoryStorage implements Storage {
  readonly #values = new Map<string, string>();
  isFull = false;

  get length(): number {
    return this.#values.size;
  }

  clear(): void {
    this.#values.clear();
  }

  getItem(key: string): string | null {
    return this.#values.get(key) ?? null;
  }

  key(index: number): string | null {
    return Array.from(this.#values.keys())[index] ?? null;
  }

  removeItem(key: string): void {
    this.#values.delete(key);
  }

  setItem(key: string, value: string): void {
    if (this.isFull) throw new DOMException('The storage is full', 'QuotaExceededError');
    this.#values.set(key, value);
  }
}
