import { compareIds, type ChannelMessage, type Id } from '@hearth/protocol';
import { withReaction, type ChannelClient } from '../../src/index.ts';

/** A reader of a channel that applies whatever is reported, as a page would. */
export class ChannelView {
  gaps = 0;
  /** Messages that came twice, or out of order. */
  readonly wrong: Id[] = [];
  readonly #channel: ChannelClient;
  readonly #messages = new Map<Id, ChannelMessage>();
  readonly #gone = new Set<Id>();
  #lastId: Id | undefined;

  constructor(channel: ChannelClient) {
    this.#channel = channel;
    channel.on('message', (message) => {
      const { id } = message;
      if (this.#lastId !== undefined && compareIds(id, this.#lastId) <= 0) this.wrong.push(id);
      this.#lastId = id;
      this.#put(message);
    });
    channel.on('messageUpdate', (message) => this.#messages.has(message.id) && this.#put(message));
    channel.on('messageDelete', ({ id }) => {
      this.#gone.add(id);
      this.#messages.delete(id);
    });
    channel.on('reaction', (change) => {
      const known = this.#messages.get(change.id);
      if (known !== undefined) this.#messages.set(change.id, withReaction(known, change));
    });
    channel.on('gap', () => void (this.gaps += 1));
  }

  /** The messages that it shows, the oldest first. */
  get shown(): readonly string[] {
    const sorted = [...this.#messages.values()].toSorted((one, other) =>
      compareIds(one.id, other.id),
    );
    return sorted.map(shownAs);
  }

  /** Loads the newest page. */
  async load(): Promise<void> {
    for (const message of await this.#channel.history({ limit: 100 })) this.#put(message);
  }

  #put(message: ChannelMessage): void {
    const known = this.#messages.get(message.id);
    if (this.#gone.has(message.id) || (known?.version ?? 0) > message.version) return;
    this.#messages.set(message.id, message);
  }
}

/** Everything of a message that all readers see alike. */
export function shownAs({ id, content, version, reactions = [] }: ChannelMessage): string {
  const counts = reactions.map(({ emoji, count }) => `${emoji}${count}`);
  return [id, content, version, ...counts].join(' ');
}
