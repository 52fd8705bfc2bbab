import { compareIds, type Id } from '@hearth/protocol';
import type { ReceivedMessage } from '../types.ts';

/** A message of profile 1 or of the history. */
export type LobbyReceived = ReceivedMessage & { readonly id: Id };

/** Live messages that wait until those before them have been read from the history: in order, and no more than `most`. */
export class LiveBuffer {
  readonly #most: number;
  readonly #messages = new Map<Id, LobbyReceived>();
  #lostUpTo: Id | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /** `isNext` is false where one before it is missing. */
  add(message: LobbyReceived, isNext: boolean): void {
    if (!isNext) this.#lostUpTo = message.id;
    this.#messages.set(message.id, message);
    if (this.#messages.size <= this.#most) return;
    for (const oldest of this.#messages.keys()) {
      this.#messages.delete(oldest);
      this.#lostUpTo = oldest;
      return;
    }
  }

  /** The live form of a message, which has more to tell than the history. */
  get(id: Id): LobbyReceived | undefined {
    return this.#messages.get(id);
  }

  /** Whether nothing is missing of what is behind `id` is still here. */
  isWholeAfter(id: Id): boolean {
    return this.#lostUpTo === undefined || compareIds(this.#lostUpTo, id) <= 0;
  }

  /** Everything that is here, the oldest first. */
  all(): readonly LobbyReceived[] {
    return [...this.#messages.values()];
  }
}
