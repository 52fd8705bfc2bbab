import { compareIds, type Id } from '@hearth/protocol';
import type { ConversationMessage } from './conversation.ts';

/** The newest messages that a reader shows, with their versions. */
export class ShownMessages {
  readonly #most: number;
  #versions = new Map<Id, number | undefined>();

  /** Remembers at most `most` messages. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The oldest first. */
  get ids(): readonly Id[] {
    return [...this.#versions.keys()];
  }

  has(id: Id): boolean {
    return this.#versions.has(id);
  }

  version(id: Id): number | undefined {
    return this.#versions.get(id);
  }

  /** A message that is newer than all others. */
  add({ id, version }: ConversationMessage): void {
    this.#versions.set(id, version);
    if (this.#versions.size <= this.#most) return;
    for (const oldest of this.#versions.keys()) {
      this.#versions.delete(oldest);
      return;
    }
  }

  /** Messages of any age, unless they are known. */
  addAll(messages: readonly ConversationMessage[]): void {
    const added = messages.filter(({ id }) => !this.#versions.has(id));
    const all = [...this.#versions, ...added.map(({ id, version }) => [id, version] as const)];
    const sorted = all.toSorted(([one], [other]) => compareIds(one, other));
    this.#versions = new Map(sorted.slice(-this.#most));
  }

  /** A known message has this version now. */
  change(id: Id, version: number | undefined): void {
    if (this.#versions.has(id)) this.#versions.set(id, version);
  }

  remove(id: Id): void {
    this.#versions.delete(id);
  }
}
