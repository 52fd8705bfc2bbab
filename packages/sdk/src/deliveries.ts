import type { Id } from '@hearth/protocol';
import type { Correspondence } from './lobby/correspondence.ts';
import type { MessageStream } from './message-stream.ts';
import type { Session } from './session.ts';
import type { ClientEvents, ReceivedMessage } from './types.ts';

/** Gives the messages that come, and their changes, to all readers and listeners of a client. */
export class Deliveries {
  readonly #session: Pick<Session, 'events' | 'life'>;
  readonly #correspondence: Correspondence;
  readonly #streams = new Set<MessageStream>();

  constructor(session: Pick<Session, 'events' | 'life'>, correspondence: Correspondence) {
    this.#session = session;
    this.#correspondence = correspondence;
  }

  /** The readers. */
  get streams(): ReadonlySet<MessageStream> {
    return this.#streams;
  }

  add(stream: MessageStream): void {
    this.#streams.add(stream);
  }

  remove(stream: MessageStream): void {
    this.#streams.delete(stream);
  }

  received(received: ReceivedMessage): void {
    if (this.#isOver) return;
    const message = this.#correspondence.receive(received);
    for (const stream of this.#streams) stream.push(message);
    this.#session.events.emit('message', message);
  }

  updated(received: ReceivedMessage): void {
    if (this.#isOver) return;
    const message = this.#correspondence.receiveAgain(received);
    for (const stream of this.#streams) stream.update(message);
    this.#session.events.emit('messageUpdate', message);
  }

  deleted(id: Id): void {
    if (this.#isOver) return;
    for (const stream of this.#streams) stream.delete(id);
    this.#session.events.emit('messageDelete', { id });
  }

  reacted(change: ClientEvents['reaction']): void {
    if (this.#isOver) return;
    const react = (known: ReceivedMessage) => this.#correspondence.react(known, change);
    for (const stream of this.#streams) stream.replace(change.id, react);
    this.#session.events.emit('reaction', change);
  }

  /** Several may come at once, and a listener may have closed the client after the first. */
  get #isOver(): boolean {
    return this.#session.life.signal.aborted;
  }
}
