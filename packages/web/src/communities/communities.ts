import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Community, Id, Post } from '@hearth/protocol';
import type { MyCommunity } from '@hearth/sdk';
import type { CommunityNews, CommunityRequests, Mention } from './community-source.ts';
import type { KeptPlaces } from './kept-places.ts';
import { PlaceChoices } from './place-choices.ts';
import { ReadMarks } from './read-marks.ts';
import { Removals } from './removals.ts';
import { ShownCommunities } from './shown-communities.ts';

/** The parts that it needs besides the news and the instance. */
export interface CommunitiesOptions {
  readonly news: CommunityNews;
  readonly requests: CommunityRequests;
  readonly kept: KeptPlaces;
  readonly now: () => number;
}

/** The reader's communities. What the reader does shows at once. */
export class Communities {
  readonly kept: KeptPlaces;
  readonly requests: CommunityRequests;
  readonly shown: ShownCommunities;
  readonly marks: ReadMarks;
  readonly choices: PlaceChoices;
  /** Communities that the reader does not have any more. */
  readonly removals: Removals;
  /** Why the last act failed, until it is dismissed. */
  readonly failure = signal<unknown>(undefined);
  /** The post that is shown. */
  readonly openPost = signal<Pick<Post, 'title' | 'channel_id'> | undefined>(undefined);
  /** The reader's communities by their names; undefined until the instance has said which they are. */
  readonly own: ReadonlySignal<readonly MyCommunity[] | undefined>;
  /** The number of unread messages that mention the reader, in all communities. */
  readonly mentions: ReadonlySignal<number>;
  /** The number of these, of unread replies to the reader, and of comments that mention them. */
  readonly concerns: ReadonlySignal<number>;
  /** News that concerns the reader; undefined until it is known. */
  readonly inbox: CommunityNews['inbox'];
  /** The last message, post or comment that mentions the reader or replies to them. */
  readonly mention: ReadonlySignal<Mention | undefined>;
  readonly #left = signal<ReadonlySet<Id>>(new Set());

  constructor({ news, requests, kept, now }: CommunitiesOptions) {
    this.kept = kept;
    this.requests = requests;
    this.inbox = news.inbox;
    this.mention = news.mention;
    this.removals = new Removals(news.removed);
    const acted = (act: Promise<unknown>) => this.#acted(act);
    this.choices = new PlaceChoices({ settings: news.settings, requests, acted, now });
    this.marks = new ReadMarks({ news, choices: this.choices, requests, acted });
    this.shown = new ShownCommunities({ requests, ownBySlug: (slug) => this.ownBySlug(slug) });
    this.own = computed(() =>
      news.communities.value
        ?.filter(({ id, deleted_at: deletedAt }) => {
          return deletedAt === undefined && !this.#left.value.has(id);
        })
        .toSorted((one, other) => one.name.localeCompare(other.name)),
    );
    this.mentions = computed(() => {
      const all = (this.own.value ?? []).map((community) => this.marks.of(community).mentions);
      return all.reduce((sum, mentions) => sum + mentions, 0);
    });
    this.concerns = computed(
      () => this.mentions.value + (this.inbox.value?.unreadReplies.value ?? 0),
    );
  }

  /** One of the reader's communities. */
  ownBySlug(slug: string): MyCommunity | undefined {
    return this.own.value?.find((each) => each.slug === slug.toLowerCase());
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

  /** Says so if the instance refuses it. Never rejects. */
  async #acted(act: Promise<unknown>): Promise<void> {
    this.failure.value = undefined;
    try {
      await act;
    } catch (error) {
      this.failure.value = error;
    }
  }
}
