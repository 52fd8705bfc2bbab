import { signal } from '@preact/signals';
import type { Channel, ChannelStub, Community, Id } from '@hearth/protocol';
import { NotFoundError, type MyCommunity } from '@hearth/sdk';
import type { Asked } from '../lib/asked.ts';
import type { CommunityRequests } from './community-source.ts';

/** A channel of a community, with what is known of it besides. */
export interface ShownChannel extends ChannelStub {
  readonly topic?: string | undefined;
  readonly details?: Channel | undefined;
}

/** A community at its address: one of the reader's own, or one that they look at. */
export interface ShownCommunity {
  readonly community: Community;
  /** Undefined unless the reader is a member. */
  readonly own: MyCommunity | undefined;
  readonly channels: readonly ShownChannel[];
}

interface ShownOptions {
  readonly requests: CommunityRequests;
  /** One of the reader's communities. */
  readonly ownBySlug: (slug: string) => MyCommunity | undefined;
}

/** The communities at their addresses, with those that the reader looks at. */
export class ShownCommunities {
  readonly #options: ShownOptions;
  readonly #visited = signal<ReadonlyMap<string, Asked<ShownCommunity | undefined>>>(new Map());
  /** The last visit of each slug: answers to earlier ones are out of date. */
  readonly #visits = new Map<string, symbol>();

  constructor(options: ShownOptions) {
    this.#options = options;
  }

  /** The community at an address; `value` is undefined if there is none that the reader may see. */
  at(slug: string): Asked<ShownCommunity | undefined> {
    const own = this.#options.ownBySlug(slug);
    if (own !== undefined) {
      return { state: 'there', value: { community: own, own, channels: own.channels } };
    }
    return this.#visited.value.get(slug) ?? { state: 'loading' };
  }

  /** Returns whether there is nothing at an address that the reader may see. */
  isNothing(slug: string): boolean {
    const asked = this.at(slug);
    return asked.state === 'there' && asked.value === undefined;
  }

  /** The name of what is at an address: a community, or one of its channels with it. */
  nameAt(slug: string, channelId?: Id): string | undefined {
    const asked = this.at(slug);
    if (asked.state !== 'there' || asked.value === undefined) return undefined;
    const { community, channels } = asked.value;
    const channel = channels.find(({ id }) => id === channelId);
    return channel === undefined ? community.name : `#${channel.name} · ${community.name}`;
  }

  /** Asks for the community at an address, unless it is one of the reader's own. Never rejects. */
  async visit(slug: string): Promise<void> {
    const { requests, ownBySlug } = this.#options;
    if (ownBySlug(slug) !== undefined) return;
    const visit = Symbol(slug);
    this.#visits.set(slug, visit);
    const show = (asked: Asked<ShownCommunity | undefined>) => {
      if (this.#visits.get(slug) !== visit) return;
      this.#visited.value = new Map(this.#visited.peek()).set(slug, asked);
    };
    if (this.isNothing(slug)) show({ state: 'loading' });
    try {
      const community = await requests.findBySlug(slug);
      const channels = await requests.channelsOf(community.id);
      show({ state: 'there', value: { community, own: undefined, channels } });
    } catch (error) {
      const isNothing = error instanceof NotFoundError;
      show(isNothing ? { state: 'there', value: undefined } : { state: 'failed', error });
    }
  }
}
