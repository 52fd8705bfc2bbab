import { computed, signal, untracked, type ReadonlySignal } from '@preact/signals';
import type {
  Channel,
  ChannelStub,
  Community,
  Id,
  NotificationChoice,
  NotificationLevel,
  Post,
} from '@hearth/protocol';
import { NotFoundError, type MyChannel, type MyCommunity } from '@hearth/sdk';
import type { Asked } from '../lib/asked.ts';
import type { CommunityNews, CommunityRequests, Mention } from './community-source.ts';
import type { KeptPlaces } from './kept-places.ts';
import { Removals } from './removals.ts';
import {
  channelMarks,
  communityMarks,
  isMuted,
  isPlaceMuted,
  NO_MARKS,
  withoutRead,
  type KnownMarks,
  type Marks,
} from './marks.ts';

/** For how long something is muted: until the reader unmutes it, for which the interface has no value. */
const FOR_GOOD_MS = 10 * 365 * 86_400_000;

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

/** What it needs besides the news and the instance. */
export interface CommunitiesOptions {
  readonly news: CommunityNews;
  readonly requests: CommunityRequests;
  readonly kept: KeptPlaces;
  readonly now: () => number;
}

/** The reader's communities, what is new in them, and those that they look at. What the reader does shows at once. */
export class Communities {
  readonly kept: KeptPlaces;
  readonly requests: CommunityRequests;
  /** Those that the reader does not have any more. */
  readonly removals: Removals;
  /** Why the last act failed, until it is dismissed. */
  readonly failure = signal<unknown>(undefined);
  /** The post that is shown. */
  readonly openPost = signal<Pick<Post, 'title' | 'channel_id'> | undefined>(undefined);
  /** The reader's communities by their names; undefined until the instance has said which they are. */
  readonly own: ReadonlySignal<readonly MyCommunity[] | undefined>;
  /** How many unread messages mention the reader, in all communities. */
  readonly mentions: ReadonlySignal<number>;
  /** The same with unread replies to the reader, and with comments that mention them. */
  readonly concerns: ReadonlySignal<number>;
  /** News that concerns the reader; undefined until it is known. */
  readonly inbox: CommunityNews['inbox'];
  /** The last message, post or comment that mentions the reader or replies to them. */
  readonly mention: ReadonlySignal<Mention | undefined>;
  readonly #options: CommunitiesOptions;
  readonly #visited = signal<ReadonlyMap<string, Asked<ShownCommunity | undefined>>>(new Map());
  /** What is shown before the instance has agreed, by the ids of communities and channels. */
  readonly #read = signal<ReadonlySet<Id>>(new Set());
  readonly #levels = signal<ReadonlyMap<Id, NotificationLevel | undefined>>(new Map());
  readonly #muted = signal<ReadonlyMap<Id, number>>(new Map());
  readonly #left = signal<ReadonlySet<Id>>(new Set());
  /** The last visit of each slug: answers to earlier ones are out of date. */
  readonly #visits = new Map<string, symbol>();

  constructor(options: CommunitiesOptions) {
    this.#options = options;
    this.kept = options.kept;
    this.requests = options.requests;
    this.mention = options.news.mention;
    this.mentions = computed(() => {
      const known = this.#knownMarks;
      const all = (this.own.value ?? []).map((each) => communityMarks(each, known).mentions);
      return all.reduce((sum, mentions) => sum + mentions, 0);
    });
    this.removals = new Removals(options.news.removed);
    this.own = computed(() =>
      options.news.communities.value
        ?.filter(({ id, deleted_at: deletedAt }) => {
          return deletedAt === undefined && !this.#left.value.has(id);
        })
        .toSorted((one, other) => one.name.localeCompare(other.name)),
    );
    this.inbox = options.news.inbox;
    this.concerns = computed(
      () => this.mentions.value + (this.inbox.value?.unreadReplies.value ?? 0),
    );
  }

  /** One of the reader's communities. */
  ownBySlug(slug: string): MyCommunity | undefined {
    return this.own.value?.find((each) => each.slug === slug.toLowerCase());
  }

  /** The community at an address; `value` is undefined if there is none that the reader may see. */
  at(slug: string): Asked<ShownCommunity | undefined> {
    const own = this.ownBySlug(slug);
    if (own !== undefined) {
      return { state: 'there', value: { community: own, own, channels: own.channels } };
    }
    return this.#visited.value.get(slug) ?? { state: 'loading' };
  }

  /** Whether there is nothing at an address that the reader may see. */
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
    if (this.ownBySlug(slug) !== undefined) return;
    const { requests } = this;
    const visit = Symbol(slug);
    this.#visits.set(slug, visit);
    const show = (asked: Asked<ShownCommunity | undefined>) => {
      if (this.#visits.get(slug) === visit) this.#showAt(slug, asked);
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

  marksOf(community: MyCommunity): Marks {
    return communityMarks(community, this.#knownMarks);
  }

  marksOfChannel(community: Pick<MyCommunity, 'id'>, channel: Pick<MyChannel, 'id'>): Marks {
    return channelMarks(community, channel, this.#knownMarks);
  }

  isMuted(community: Pick<MyCommunity, 'id'>, channel?: Pick<MyChannel, 'id'>): boolean {
    return isMuted(community, channel, this.#knownMarks);
  }

  /** Whether the reader has muted just this community or channel, so that they can unmute it. */
  isPlaceMuted({ id }: { readonly id: Id }): boolean {
    return isPlaceMuted(id, this.#knownMarks);
  }

  /** Joins a community that the reader looks at, or asks to. Throws. */
  async join({ id, join }: Community): Promise<void> {
    await (join === 'request' ? this.requests.askToJoin(id) : this.requests.join(id));
  }

  leave(community: MyCommunity): Promise<void> {
    const left = this.#left.peek();
    this.#left.value = new Set([...left, community.id]);
    const without = () => {
      this.#left.value = new Set([...this.#left.peek()].filter((id) => id !== community.id));
    };
    // From then on the news say it: the reader may come back.
    const leaving = this.requests.leave(community.id).finally(without);
    return this.#acted(this.removals.during(community.id, leaving));
  }

  /** Deletes a community. Throws. */
  delete({ id, slug }: MyCommunity, password: string): Promise<void> {
    const deleting = this.requests.delete(id, { slug, current_password: password });
    return this.removals.during(id, deleting);
  }

  markRead(community: MyCommunity): Promise<void> {
    const ids = community.channels.map(({ id }) => id);
    return this.#showRead(ids, this.requests.markRead(community.id));
  }

  markChannelRead({ id }: Pick<MyChannel, 'id'>): Promise<void> {
    return this.#showRead([id], this.requests.markChannelRead(id));
  }

  mute(community: MyCommunity, isOn: boolean): Promise<void> {
    const choice = this.#muteChoice(community.id, isOn);
    return this.#muteUntil(community.id, choice.muted_until, () =>
      this.requests.chooseForCommunity(community.id, choice),
    );
  }

  muteChannel(channel: MyChannel, isOn: boolean): Promise<void> {
    const choice = this.#muteChoice(channel.id, isOn);
    return this.#muteUntil(channel.id, choice.muted_until, () =>
      this.requests.chooseForChannel(channel.id, choice),
    );
  }

  /** Of what a community or channel notifies the reader; undefined if they have not chosen that there. */
  levelOf({ id }: { readonly id: Id }): NotificationLevel | undefined {
    const { value } = this.#levels;
    return value.has(id) ? value.get(id) : this.#options.news.settings.value.get(id)?.level;
  }

  /** Chooses of what a place notifies the reader; undefined for what holds otherwise. */
  chooseLevel(place: MyCommunity | MyChannel, level: NotificationLevel | undefined): Promise<void> {
    const { id } = place;
    const { requests } = this;
    const { muted_until: known = 0 } = this.#options.news.settings.peek().get(id) ?? {};
    const until = this.#muted.peek().get(id) ?? known;
    const choice = {
      ...(level !== undefined && { level }),
      ...(until > this.#options.now() && { muted_until: until }),
    };
    const choose = () =>
      'community_id' in place
        ? requests.chooseForChannel(id, choice)
        : requests.chooseForCommunity(id, choice);
    const without = () => {
      const others = new Map(this.#levels.peek());
      // The reader may have chosen another one meanwhile.
      if (others.get(id) === level) others.delete(id);
      this.#levels.value = others;
    };
    this.#levels.value = new Map(this.#levels.peek()).set(id, level);
    return this.#acted(choose().finally(without));
  }

  get #knownMarks(): KnownMarks {
    const { news, now } = this.#options;
    const marks = withoutRead(news.marks.value, this.inbox.value?.readMentions.value);
    for (const id of this.#read.value) marks.set(id, NO_MARKS);
    const settings = new Map(news.settings.value);
    for (const [id, until] of this.#muted.value) {
      settings.set(id, { ...settings.get(id), muted_until: until });
    }
    return { marks, settings, nowMs: now() };
  }

  #muteChoice(id: Id, isOn: boolean): NotificationChoice {
    const level = untracked(() => this.levelOf({ id }));
    return {
      ...(level !== undefined && { level }),
      ...(isOn && { muted_until: this.#options.now() + FOR_GOOD_MS }),
    };
  }

  #muteUntil(id: Id, until: number | undefined, act: () => Promise<unknown>): Promise<void> {
    const without = () => {
      const others = new Map(this.#muted.peek());
      others.delete(id);
      this.#muted.value = others;
    };
    this.#muted.value = new Map(this.#muted.peek()).set(id, until ?? 0);
    // From then on the news say it.
    return this.#acted(act().finally(without));
  }

  #showRead(ids: readonly Id[], act: Promise<unknown>): Promise<void> {
    this.#read.value = new Set([...this.#read.peek(), ...ids]);
    const without = () => {
      this.#read.value = new Set([...this.#read.peek()].filter((id) => !ids.includes(id)));
    };
    return this.#acted(act.finally(without));
  }

  /** Says so if the instance refuses it. Never rejects. */
  async #acted(act: Promise<unknown>): Promise<void> {
    this.failure.value = undefined;
    try {
      await act;
    } catch (error) {
      this.failure.value = error;
    }
  }

  #showAt(slug: string, asked: Asked<ShownCommunity | undefined>): void {
    this.#visited.value = new Map(this.#visited.peek()).set(slug, asked);
  }
}
