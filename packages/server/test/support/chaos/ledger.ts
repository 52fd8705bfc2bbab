import type { Id } from '@hearth/protocol';
import type { Choices } from './choices.ts';
import type { Person } from './person.ts';

/** A message that was posted, and what its author knows of it. */
export interface Written {
  readonly id: string;
  readonly channel: Id;
  readonly author: Person;
  content: string;
  isDeleted: boolean;
}

/** Every message that an answer has confirmed, and in which round what happened to it. */
export class Ledger {
  readonly written = new Map<string, Written>();
  /** The rounds of contents, which are all different. */
  readonly #roundOf = new Map<string, number>();
  /** Contents of which no answer says whether they are there: a request that was not answered was refused when repeated. */
  readonly #unsure = new Set<string>();
  #contents = 0;

  /** A content that no other message has. */
  newContent(round: number): string {
    this.#contents += 1;
    const content = `content ${this.#contents} of round ${round}`;
    this.#roundOf.set(content, round);
    return content;
  }

  /** When a content was written; undefined if no round has written it. */
  roundOf(content: string): number | undefined {
    return this.#roundOf.get(content);
  }

  add(message: Omit<Written, 'isDeleted'>): void {
    this.written.set(message.id, { ...message, isDeleted: false });
  }

  /** A message that is there; undefined if there is none. */
  some(choices: Choices, among: (message: Written) => boolean): Written | undefined {
    const all = [...this.written.values()].filter((each) => !each.isDeleted && among(each));
    return all.length === 0 ? undefined : choices.of(all);
  }

  /** Notes that a content may be there or not. */
  doubt(content: string): void {
    this.#unsure.add(content);
  }

  isUnsure(content: string): boolean {
    return this.#unsure.has(content);
  }

  /** The contents that a channel has, the oldest first. */
  contentsOf(channel: Id): readonly string[] {
    return [...this.written.values()]
      .filter((each) => each.channel === channel && !each.isDeleted)
      .toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1))
      .map(({ content }) => content);
  }
}
