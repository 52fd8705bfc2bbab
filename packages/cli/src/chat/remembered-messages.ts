import type { Id } from '@hearth/sdk';
import type { ShownMessage } from './message-source.ts';
import { hasSpoiler } from './message-text.ts';
import { SeenLinks } from './seen-links.ts';

/** The number of the newest messages that are remembered, so that their changes and removals are shown. */
const MOST_REMEMBERED = 1000;

/** A message that was shown, and when it came. */
export interface Remembered {
  readonly message: ShownMessage;
  readonly receivedAtMs: number;
}

/** The newest messages that a conversation has shown. */
export class RememberedMessages {
  readonly #byId = new Map<Id, Remembered>();
  readonly #links = new SeenLinks();
  #hiding: ShownMessage | undefined;

  /** The last message with a spoiler. */
  get hiding(): ShownMessage | undefined {
    return this.#hiding;
  }

  /** The oldest first. */
  all(): readonly ShownMessage[] {
    return Array.from(this.#byId.values(), ({ message }) => message);
  }

  get(id: Id | undefined): Remembered | undefined {
    return id && this.#byId.get(id);
  }

  /** The address of a file or link that was shown; 1 is the last one. */
  lastAddress(count: number): string | undefined {
    return this.#links.last(count);
  }

  add(message: ShownMessage, receivedAtMs: number): void {
    this.#links.add(message);
    if (hasSpoiler(message.content)) this.#hiding = message;
    if (message.id === undefined) return;
    this.#byId.set(message.id, { message, receivedAtMs });
    if (this.#byId.size <= MOST_REMEMBERED) return;
    for (const oldest of this.#byId.keys()) {
      this.#byId.delete(oldest);
      return;
    }
  }

  /** A message has changed. Returns when it was shown; undefined if it is not remembered. */
  replace(message: ShownMessage): number | undefined {
    const { id } = message;
    const known = this.get(id);
    if (id === undefined || known === undefined) return undefined;
    this.#byId.set(id, { ...known, message });
    if (this.#hiding?.id === id) this.#hiding = message;
    this.#links.remove(id);
    this.#links.add(message);
    return known.receivedAtMs;
  }

  /** A message was removed. Returns it as it was; undefined if it is not remembered. */
  remove(id: Id): Remembered | undefined {
    const known = this.#byId.get(id);
    this.#byId.delete(id);
    if (known === undefined) return undefined;
    this.#links.remove(id);
    if (this.#hiding?.id === id) this.#hiding = undefined;
    return known;
  }

  clear(): void {
    this.#byId.clear();
  }
}
