import type { Id } from '@hearth/protocol';
import type { Choices } from './choices.ts';
import type { Person } from './person.ts';

/** A message that was posted, and what its author and others know of it. */
export interface Written {
  readonly id: string;
  readonly channel: Id;
  readonly author: Person;
  content: string;
  isDeleted: boolean;
  isPinned: boolean;
  /** The people who react, and their emojis. */
  readonly reactions: Set<string>;
  /** True if an answer is missing, so that it is not known what became of a reaction or of the pin. */
  isUncertain: boolean;
}

/** A thing that happens to a message, in events. */
export type Happening = 'delete' | 'react' | 'pin';

/** Every message that an answer has confirmed, and in which round what happened to it. */
export class Ledger {
  readonly written = new Map<string, Written>();
  /** The rounds of contents, which are all different. */
  readonly #roundOf = new Map<string, number>();
  readonly #rounds = new Map<string, number[]>();
  /** Since which round all messages of somebody may be deleted. */
  readonly #removedSince = new Map<string, number>();
  /** Contents of which no answer says whether they are there: a request that was not answered was refused when repeated. */
  readonly #unsure = new Set<string>();
  #contents = 0;

  /** A content that no other message has. */
  newContent(round: number, mentioned?: Person): string {
    this.#contents += 1;
    const named = mentioned === undefined ? '' : ` @${mentioned.name}`;
    const content = `content ${this.#contents} of round ${round}${named}`;
    this.#roundOf.set(content, round);
    return content;
  }

  /** When a content was written; undefined if no round has written it. */
  roundOf(content: string): number | undefined {
    return this.#roundOf.get(content);
  }

  /** Notes that something happens to messages in a round. */
  happens(what: Happening, ids: readonly string[], round: number): void {
    for (const id of ids) this.#rounds.getOrInsertComputed(`${what} ${id}`, () => []).push(round);
  }

  /** The rounds in which something may have happened to a message. */
  roundsOf(what: Happening, id: string, last: number): readonly number[] {
    const rounds = this.#rounds.get(`${what} ${id}`) ?? [];
    const author = this.written.get(id)?.author.id;
    const since = what === 'delete' ? this.#removedSince.get(author ?? '') : undefined;
    if (since === undefined) return rounds;
    return [...rounds, ...Array.from({ length: last - since + 1 }, (_, index) => since + index)];
  }

  add(message: Pick<Written, 'id' | 'channel' | 'author' | 'content'>): void {
    const nothing = { isDeleted: false, isPinned: false, isUncertain: false };
    this.written.set(message.id, { ...message, ...nothing, reactions: new Set() });
  }

  /** Notes that what somebody has written is removed, or may be. */
  removeAllOf(author: Person, { isSure, round }: { isSure: boolean; round: number }): void {
    if (!this.#removedSince.has(author.id)) this.#removedSince.set(author.id, round);
    for (const message of this.written.values()) {
      if (message.author !== author || message.isDeleted) continue;
      if (isSure) message.isDeleted = true;
      else this.doubt(message.content);
    }
  }

  /** The messages that are there. */
  present(among: (message: Written) => boolean): readonly Written[] {
    return [...this.written.values()].filter((each) => !each.isDeleted && among(each));
  }

  /** A message that is there; undefined if there is none. */
  some(choices: Choices, among: (message: Written) => boolean): Written | undefined {
    const all = this.present(among);
    return all.length === 0 ? undefined : choices.of(all);
  }

  /** Notes that a content may be there or not. */
  doubt(content: string): void {
    this.#unsure.add(content);
  }

  isUnsure(content: string): boolean {
    return this.#unsure.has(content);
  }

  /** The messages that a channel has, the oldest first. */
  messagesOf(channel: Id): readonly Written[] {
    return this.present((each) => each.channel === channel).toSorted((one, other) =>
      BigInt(one.id) < BigInt(other.id) ? -1 : 1,
    );
  }
}
