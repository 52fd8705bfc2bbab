import type { Id, ReceivedMessage } from '@hearth/sdk';
import { addressesIn } from './message-text.ts';

/** Older ones are forgotten. */
const MOST_REMEMBERED = 200;

/** The addresses of files and links that a chat has shown. */
export class SeenLinks {
  #links: readonly { readonly id: Id | undefined; readonly address: string }[] = [];

  /** Notes the addresses of a message as the last ones. */
  add({ id, content }: Pick<ReceivedMessage, 'id' | 'content'>): void {
    const links = addressesIn(content).map((address) => ({ id, address }));
    this.#links = [...this.#links, ...links].slice(-MOST_REMEMBERED);
  }

  /** Forgets the addresses of a message that was removed. */
  remove(id: Id): void {
    this.#links = this.#links.filter((link) => link.id !== id);
  }

  /** An address, counted from the end: 1 is the last one. */
  last(count: number): string | undefined {
    return this.#links.at(-count)?.address;
  }
}
