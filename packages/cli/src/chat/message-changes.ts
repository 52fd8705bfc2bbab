import {
  emojiIn,
  NotFoundError,
  type Id,
  type ReactionTo,
  type ReceivedMessage,
} from '@hearth/sdk';
import type { Face } from './face.ts';
import type { MessageSource } from './message-source.ts';
import { reasonOf } from './with-client.ts';

export interface MessageChangesOptions {
  readonly source: Pick<
    MessageSource,
    'changeMessage' | 'deleteMessage' | 'addReaction' | 'removeReaction'
  >;
  readonly face: Pick<Face, 'notice'>;
  /** The messages that were shown, the oldest first. */
  readonly shown: () => Iterable<ReceivedMessage>;
}

/** Changes of messages that were shown: one's own are those that were sent with an account in this chat. */
export class MessageChanges {
  readonly #options: MessageChangesOptions;
  readonly #own = new Set<Id>();
  /** True if the user reacted, by the id of the message and the emoji. Events do not say whose a reaction is. */
  readonly #mine = new Map<string, boolean>();

  constructor(options: MessageChangesOptions) {
    this.#options = options;
  }

  /** Notes a message that the user has sent. Only those of accounts can be changed. */
  sent({ id, user }: ReceivedMessage): void {
    if (id !== undefined && user !== undefined) this.#own.add(id);
  }

  /** Changes the text of the user's last message. */
  edit(content: string): void {
    this.#withLastOwn(
      (message) => message.id && this.#source.changeMessage({ id: message.id, content }),
    );
  }

  /** Deletes the user's last message. */
  delete(): void {
    this.#withLastOwn((message) => message.id && this.#source.deleteMessage(message.id));
  }

  /** Reacts to a message that was shown, or takes the reaction back; 1 is the last one. */
  react(text: string, count: number): void {
    const emoji = emojiIn(text);
    const { id, reactions = [] } = [...this.#options.shown()].at(-count) ?? {};
    if (emoji === undefined) return this.#notice(`${text} is not one emoji`);
    if (id === undefined) return this.#notice('there is no such message');
    const wasMine = reactions.some((known) => known.emoji === emoji && known.mine === true);
    void this.#toggle({ id, emoji }, wasMine);
  }

  async #toggle(to: ReactionTo, wasMine: boolean): Promise<void> {
    const key = `${to.id} ${to.emoji}`;
    const isMine = this.#mine.get(key) ?? wasMine;
    this.#mine.set(key, !isMine);
    try {
      await (isMine ? this.#source.removeReaction(to) : this.#source.addReaction(to));
    } catch (error) {
      // It was taken back elsewhere.
      if (isMine && error instanceof NotFoundError) return;
      this.#mine.set(key, isMine);
      this.#notice(`not changed (${reasonOf(error)})`);
    }
  }

  get #source(): MessageChangesOptions['source'] {
    return this.#options.source;
  }

  #withLastOwn(change: (message: ReceivedMessage) => Promise<unknown> | undefined | ''): void {
    const own = [...this.#options.shown()].findLast(({ id }) => id && this.#own.has(id));
    const changing = own && change(own);
    if (changing) this.#report(changing);
    else this.#notice('there is no message that you have sent with an account');
  }

  #report(change: Promise<unknown>): void {
    change.catch((error: unknown) => this.#notice(`not changed (${reasonOf(error)})`));
  }

  #notice(text: string): void {
    this.#options.face.notice(text);
  }
}
