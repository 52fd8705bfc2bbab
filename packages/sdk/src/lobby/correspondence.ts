import type { Id, Message } from '@hearth/protocol';
import type { Abilities } from '../capabilities.ts';
import { ApiError, ClosedError, QueueFullError } from '../errors.ts';
import { replyTo, type Quotable } from '../quote.ts';
import { withReaction, type Reactable, type ReactionChange } from '../reaction-change.ts';
import type { RestClient } from '../rest.ts';
import type { IncomingMessage, NewMessage, ReceivedMessage, SendOptions } from '../types.ts';
import { newNonce } from './nonce.ts';
import { OwnMessages } from './own-messages.ts';

/** In whose name messages are sent, and how. */
export interface CorrespondenceOptions {
  readonly rest: Pick<
    RestClient,
    'createMessage' | 'changeMessage' | 'deleteMessage' | 'addReaction' | 'removeReaction'
  >;
  readonly abilities: Pick<Abilities, 'ready' | 'has'>;
  readonly author: string | undefined;
  readonly messageLimit: number;
  /** The address of a message in the web client. */
  readonly messageUrl: (id: Id) => string | undefined;
  /** Returns whether the gateway is open, or about to be. */
  readonly isListening: () => boolean;
}

/** Sends messages, and knows which of the received ones it sent. */
export class Correspondence {
  readonly #options: CorrespondenceOptions;
  readonly #own = new OwnMessages();

  constructor(options: CorrespondenceOptions) {
    this.#options = options;
  }

  /** Posts a message. Throws TypeError if it has no author. */
  async send(message: string | NewMessage, options: SendOptions = {}): Promise<Message> {
    const { rest, abilities, isListening } = this.#options;
    const { content, author = this.#options.author, nonce: given } = drafted(message);
    if (author === undefined) {
      throw new TypeError('A message needs an author: pass one to connect(url, { author })');
    }
    if (given !== undefined) await abilities.ready(options.signal);
    const nonce = abilities.has('nonce') ? (given ?? newNonce()) : undefined;
    const sent = this.#own.expect({ author, content, nonce, isListening: isListening() });
    try {
      return await rest.createMessage({ author, content, nonce }, options);
    } catch (error) {
      if (isRefusal(error)) this.#own.forget(sent);
      throw error;
    }
  }

  /** Posts a message that quotes `to`. */
  async reply(
    to: Quotable,
    message: string | NewMessage,
    options: SendOptions = {},
  ): Promise<Message> {
    const { messageUrl, messageLimit } = this.#options;
    const draft = drafted(message);
    const url = to.id === undefined ? undefined : messageUrl(to.id);
    const content = replyTo(to, draft.content, { url, messageLimit });
    return await this.send({ ...draft, content }, options);
  }

  /** A message that has just come. */
  receive(message: ReceivedMessage): IncomingMessage {
    return this.#incoming(message, this.#own.receive(message));
  }

  /** A message that came earlier and has changed. */
  receiveAgain(message: ReceivedMessage): IncomingMessage {
    return this.#incoming(message, this.#own.isKnown(message.id));
  }

  /** A message that came earlier, after a reaction to it. */
  react(message: ReceivedMessage, change: ReactionChange): IncomingMessage {
    const known: ReceivedMessage & Reactable = { ...message, id: change.id };
    return this.receiveAgain(withReaction(known, change));
  }

  /** Only the message's own fields are enumerable, so copies and JSON have what the instance sent. */
  #incoming(message: ReceivedMessage, isOwn: boolean): IncomingMessage {
    const { rest } = this.#options;
    const id = () => idOf(message);
    const more: Omit<IncomingMessage, keyof ReceivedMessage> = {
      isOwn,
      reply: (...answer) => this.reply(message, ...answer),
      edit: async (content, options) => rest.changeMessage({ id: id(), content }, options),
      delete: async (options) => rest.deleteMessage(id(), options),
      react: async (emoji, options) => rest.addReaction({ id: id(), emoji }, options),
      unreact: async (emoji, options) => rest.removeReaction({ id: id(), emoji }, options),
    };
    const hidden = Object.keys(more).map((name) => [name, { enumerable: false }]);
    return Object.defineProperties({ ...message, ...more }, Object.fromEntries(hidden));
  }
}

function drafted(message: string | NewMessage): NewMessage {
  return typeof message === 'string' ? { content: message } : message;
}

/** Returns whether the message was certainly not posted. */
function isRefusal(error: unknown): boolean {
  if (error instanceof ApiError) return error.status < 500;
  return error instanceof QueueFullError || error instanceof ClosedError;
}

/** Throws TypeError if the message has no id. */
function idOf({ id }: ReceivedMessage): Id {
  if (id === undefined) throw new TypeError('Messages of the documented gateway have no id');
  return id;
}
