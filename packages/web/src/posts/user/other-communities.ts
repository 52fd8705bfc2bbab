import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Id } from '@hearth/protocol';
import type { Communities } from '../../communities/communities.ts';
import type { ShownCommunity } from '../../communities/shown-communities.ts';

const KNOWN = new WeakMap<Communities, OtherCommunities>();

/** Communities that the reader has not joined, by their ids. */
export class OtherCommunities {
  readonly #communities: Communities;
  readonly #known = new Map<Id, Signal<ShownCommunity | undefined>>();
  readonly #asked = new Set<Id>();

  private constructor(communities: Communities) {
    this.#communities = communities;
  }

  static of(communities: Communities): OtherCommunities {
    const others = KNOWN.get(communities) ?? new OtherCommunities(communities);
    KNOWN.set(communities, others);
    return others;
  }

  /** Undefined until the instance has said what it is. */
  at(id: Id): ReadonlySignal<ShownCommunity | undefined> {
    return this.#at(id);
  }

  /** Asks once. Never rejects. */
  async ask(id: Id): Promise<void> {
    if (this.#asked.has(id)) return;
    this.#asked.add(id);
    const { requests } = this.#communities;
    try {
      const [community, channels] = await Promise.all([
        requests.findById(id),
        requests.channelsOf(id),
      ]);
      this.#at(id).value = { community, own: undefined, channels };
    } catch {
      // Its posts are left out, and the next view asks again.
      this.#asked.delete(id);
    }
  }

  #at(id: Id): Signal<ShownCommunity | undefined> {
    const known = this.#known.get(id) ?? signal<ShownCommunity | undefined>(undefined);
    this.#known.set(id, known);
    return known;
  }
}
