import type { Change } from './database.ts';

/** The changes that a transaction reports, each once. */
export class TransactionChanges {
  readonly #changes = new Map<string, Change>();

  add(change: Change): void {
    this.#changes.set(`${change.kind} ${change.id}`, change);
  }

  list(): readonly Change[] {
    return [...this.#changes.values()];
  }
}
