import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Channel, Id } from '@hearth/protocol';

/** The settings of the channels of communities, read when posts are shown. */
export class ChannelDetails {
  readonly #known = new Map<Id, Signal<ReadonlyMap<Id, Channel>>>();
  readonly #asked = new Set<Id>();

  of(community: Id): ReadonlySignal<ReadonlyMap<Id, Channel>> {
    return this.#of(community);
  }

  /** Asks once. Never rejects. */
  async ask(community: Id, channelsOf: (id: Id) => Promise<readonly Channel[]>): Promise<void> {
    if (this.#asked.has(community)) return;
    this.#asked.add(community);
    try {
      const channels = await channelsOf(community);
      this.#of(community).value = new Map(channels.map((channel) => [channel.id, channel]));
    } catch {
      // Posts are shown without tags, and the next view asks again.
      this.#asked.delete(community);
    }
  }

  #of(community: Id): Signal<ReadonlyMap<Id, Channel>> {
    const known = this.#known.get(community) ?? signal<ReadonlyMap<Id, Channel>>(new Map());
    this.#known.set(community, known);
    return known;
  }
}
