import type { Id } from '@hearth/protocol';
import { deferred, type Deferred } from './deferred.ts';
import { OverflowError } from './errors.ts';
import type { IncomingMessage } from './types.ts';

type Result<Message> = IteratorResult<Message, undefined>;

/** Messages for one reader, who reads at its own pace and may be at most `most` messages late. */
export class MessageStream<
  Message extends { readonly id?: Id } = IncomingMessage,
> implements AsyncIterableIterator<Message, undefined> {
  readonly #most: number;
  readonly #onEnd: () => void;
  #buffered: Message[] = [];
  #readers: Deferred<Result<Message>>[] = [];
  /** Set once no more messages come; with an error if the reader has to know why. */
  #end: { readonly error?: unknown } | undefined;

  /** `onEnd` is called once, when the stream takes no more messages. */
  constructor(most: number, onEnd: () => void) {
    this.#most = most;
    this.#onEnd = onEnd;
  }

  push(message: Message): void {
    if (this.#end !== undefined) return;
    const reader = this.#readers.shift();
    if (reader !== undefined) return reader.resolve({ done: false, value: message });
    if (this.#buffered.length < this.#most) {
      this.#buffered.push(message);
      return;
    }
    this.#buffered = [];
    this.end({ error: new OverflowError(`The reader is more than ${this.#most} messages late`) });
  }

  /** Replaces a message that has not been read yet. */
  update(message: Message): void {
    this.#buffered = this.#buffered.map((each) => (each.id === message.id ? message : each));
  }

  /** Replaces a message that has not been read yet by what `change` makes of it. */
  replace(id: Id, change: (message: Message) => Message): void {
    this.#buffered = this.#buffered.map((each) => (each.id === id ? change(each) : each));
  }

  /** Drops a message that has not been read yet. */
  delete(id: Id): void {
    this.#buffered = this.#buffered.filter((each) => each.id !== id);
  }

  /** The reader still gets the buffered messages, then the end, or the error once. */
  end(end: { readonly error?: unknown } = {}): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#onEnd();
    for (const reader of this.#readers.splice(0)) this.#finish(reader);
  }

  next(): Promise<Result<Message>> {
    const reader = deferred<Result<Message>>();
    const value = this.#buffered.shift();
    if (value !== undefined) reader.resolve({ done: false, value });
    else if (this.#end === undefined) this.#readers.push(reader);
    else this.#finish(reader);
    return reader.promise;
  }

  async return(): Promise<Result<Message>> {
    this.#buffered = [];
    this.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #finish(reader: Deferred<Result<Message>>): void {
    const { error } = this.#end ?? {};
    this.#end = {};
    if (error === undefined) reader.resolve({ done: true, value: undefined });
    else reader.reject(error);
  }
}
