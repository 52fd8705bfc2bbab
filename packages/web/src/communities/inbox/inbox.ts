import { computed, effect, signal, untracked, type ReadonlySignal } from '@preact/signals';
import { compareIds, type Community, type Id, type Notification } from '@hearth/protocol';
import { NotFoundError } from '@hearth/sdk';
import type { CommunityNews, CommunityRequests } from '../community-source.ts';
import { PagedList } from '../paged-list.ts';
import type { InboxNews } from './inbox-news.ts';
import type { NotifiedPlace, ReaderInbox, UnreadCount } from './reader-inbox.ts';
import { notificationPath } from './notification-path.ts';

/** Dependencies of the inbox. */
export interface InboxOptions {
  readonly news: ReadonlySignal<InboxNews>;
  readonly marks: CommunityNews['marks'];
  readonly requests: Pick<
    CommunityRequests,
    'notifications' | 'markNotificationsRead' | 'findById' | 'channelsOf'
  >;
  /** Communities of the reader. */
  readonly communities: CommunityNews['communities'];
}

type Known = Pick<Community, 'slug' | 'name'> & {
  readonly channels: readonly { readonly id: Id; readonly name: string }[];
};

/** Notifications of the reader: mentions, and replies to something of theirs. */
export class Inbox implements ReaderInbox {
  readonly list: PagedList<Notification>;
  readonly unread: ReadonlySignal<UnreadCount>;
  readonly unreadReplies: ReadonlySignal<number>;
  readonly readMentions: ReadonlySignal<ReadonlyMap<Id, number>>;
  readonly #options: InboxOptions;
  /** The communities that are not the reader's, by their ids; undefined if they are not known. */
  readonly #others = signal<ReadonlyMap<Id, Known | undefined>>(new Map());

  constructor(options: InboxOptions) {
    this.#options = options;
    this.list = new PagedList(options.requests.notifications);
    const unread = computed(() => this.#entries.filter((each) => !this.isRead(each)));
    this.unread = computed(() => {
      const { length: count } = unread.value;
      const isMore = count > 0 && count === this.#entries.length && this.#hasMore;
      return { count, isMore };
    });
    this.unreadReplies = computed(
      () =>
        unread.value.filter(({ kind, comment_id: id }) => kind === 'reply' || id !== undefined)
          .length,
    );
    this.readMentions = computed(() => {
      const counts = new Map<Id, number>();
      for (const each of this.#entries) {
        const { channel_id: id, comment_id: comment, kind } = each;
        const isCounted = kind === 'mention' && comment === undefined && !this.#isReadThere(each);
        if (id === undefined || !isCounted || !this.isRead(each)) continue;
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
      return counts;
    });
  }

  /** Reads the list whenever it may have changed, and where its entries are; returns a function that stops it. */
  start(): () => void {
    const { news, communities } = this.#options;
    const version = computed(() => news.value.version);
    const stops = [
      effect(() => {
        if (version.value > 0) untracked(() => void this.list.load());
      }),
      effect(() => {
        const ids = new Set(this.#entries.flatMap(({ community_id: id }) => id ?? []));
        const own = communities.value;
        for (const { id } of own ?? []) ids.delete(id);
        if (own !== undefined) untracked(() => ids.forEach((id) => void this.#learn(id)));
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }

  isRead(notification: Notification): boolean {
    const { id, read } = notification;
    const { readUpTo, readIds } = this.#options.news.value;
    return (
      read === true || readIds.has(id) || isUpTo(id, readUpTo) || this.#isReadThere(notification)
    );
  }

  placeOf(notification: Notification): NotifiedPlace | undefined {
    const { community_id: id, channel_id: channelId } = notification;
    if (id === undefined) return undefined;
    const own = this.#options.communities.value?.find((each) => each.id === id);
    const known = own ?? this.#others.value.get(id);
    if (known === undefined) return undefined;
    return {
      community: known.name,
      channel: known.channels.find((each) => each.id === channelId)?.name,
      path: notificationPath(known.slug, notification),
    };
  }

  async readAll(): Promise<void> {
    const [first] = this.#entries;
    if (first === undefined) return;
    this.list.change((all) => all.map((each) => ({ ...each, read: true })));
    await this.#options.requests.markNotificationsRead(first.id).catch(() => this.list.load());
  }

  /** Checks whether its channel was read up to it. The mark of a channel says nothing of comments (RD17). */
  #isReadThere({ id, channel_id: channelId, comment_id: commentId }: Notification): boolean {
    if (channelId === undefined || commentId !== undefined) return false;
    return isUpTo(id, this.#options.marks.value.get(channelId)?.lastReadId);
  }

  get #entries(): readonly Notification[] {
    const asked = this.list.asked.value;
    return asked.state === 'there' ? asked.value.entries : [];
  }

  get #hasMore(): boolean {
    const asked = this.list.asked.value;
    return asked.state === 'there' && asked.value.next !== undefined;
  }

  /** Somebody may be replied to in a public community that they have left. */
  async #learn(id: Id): Promise<void> {
    if (this.#others.peek().has(id)) return;
    const show = (known: Known | undefined) => {
      this.#others.value = new Map(this.#others.peek()).set(id, known);
    };
    show(undefined);
    const { requests } = this.#options;
    try {
      const { slug, name } = await requests.findById(id);
      show({ slug, name, channels: await requests.channelsOf(id) });
    } catch (error) {
      // It is shown without its place, which is requested again with the list unless it is hidden.
      if (error instanceof NotFoundError) return;
      const others = new Map(this.#others.peek());
      others.delete(id);
      this.#others.value = others;
    }
  }
}

function isUpTo(id: Id, last: Id | undefined): boolean {
  return last !== undefined && compareIds(id, last) <= 0;
}
