import { compareIds, type Id } from '@hearth/protocol';
import { withReaction, type ReactionChange } from '../reaction-change.ts';
import type { ConversationMessage } from './conversation.ts';

/**
 * Holds what arrives live while earlier messages are read from the history: new messages, in order and at most `most`,
 * and at most as many changes since the current page was requested.
 */
export class LiveBuffer<Message extends ConversationMessage> {
  readonly #most: number;
  readonly #messages = new Map<Id, Message>();
  readonly #updates = new Map<Id, Message>();
  readonly #deleted = new Set<Id>();
  readonly #reactions = new Map<Id, ReactionChange[]>();
  #reactionCount = 0;
  #lostUpTo: Id | undefined;
  #isBroken = false;
  #hasLostChanges = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** A page is about to be requested, which will show everything that happened before. */
  asking(): void {
    this.#updates.clear();
    this.#deleted.clear();
    this.#reactions.clear();
    this.#reactionCount = 0;
    this.#isBroken = false;
    this.#hasLostChanges = false;
  }

  /** True if there were more changes than may wait, so that the page has to be requested again. */
  get hasLostChanges(): boolean {
    return this.#hasLostChanges;
  }

  /** An event before the next one is missing. */
  skip(): void {
    this.#isBroken = true;
  }

  create(message: Message): void {
    this.#messages.set(message.id, message);
    if (this.#messages.size <= this.#most) return;
    for (const oldest of this.#messages.keys()) {
      this.#messages.delete(oldest);
      this.#lostUpTo = oldest;
      return;
    }
  }

  update(message: Message): void {
    if (this.#messages.has(message.id)) this.#messages.set(message.id, message);
    else if (this.#hasRoom()) this.#updates.set(message.id, message);
  }

  react(change: ReactionChange): void {
    const { id } = change;
    const live = this.#messages.get(id) ?? this.#updates.get(id);
    const all = this.#messages.has(id) ? this.#messages : this.#updates;
    if (live !== undefined) all.set(id, withReaction(live, change));
    else if (this.#hasRoom()) {
      const before = this.#reactions.get(id);
      if (before === undefined) this.#reactions.set(id, [change]);
      else before.push(change);
      this.#reactionCount += 1;
    }
  }

  delete(id: Id): void {
    this.#messages.delete(id);
    if (this.#hasRoom()) this.#deleted.add(id);
  }

  /** Returns whether a message came live, deleted or not. */
  has(id: Id): boolean {
    return this.#messages.has(id) || this.#deleted.has(id);
  }

  isDeleted(id: Id): boolean {
    return this.#deleted.has(id);
  }

  /** The live version of a message, which may have more fields than the one in the history. */
  get(id: Id): Message | undefined {
    return this.#messages.get(id);
  }

  /** The current version of a message of the page, which may have changed since the page was requested. */
  updated(message: Message): Message {
    const { id } = message;
    const current = this.#updates.get(id) ?? message;
    const reactions = this.#reactions.get(id) ?? [];
    return reactions.reduce((changed, change) => withReaction(changed, change), current);
  }

  /** Returns whether everything after `id` is here, if the last page ended with it. */
  isWholeAfter(id: Id): boolean {
    if (this.#isBroken) return false;
    return this.#lostUpTo === undefined || compareIds(this.#lostUpTo, id) <= 0;
  }

  /** The new messages, the oldest first. */
  all(): readonly Message[] {
    return [...this.#messages.values()];
  }

  #hasRoom(): boolean {
    this.#hasLostChanges ||=
      this.#updates.size + this.#deleted.size + this.#reactionCount >= this.#most;
    return !this.#hasLostChanges;
  }
}
