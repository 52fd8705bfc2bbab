import { nameOfPerson, nameOfWriter } from '../conversation/author.ts';
import { batch, signal, type Signal } from '@preact/signals';
import type { Id, Notification, NotificationSetting } from '@hearth/protocol';
import type { ChannelClient, ClientEvents, CommunitiesClient, MyCommunity } from '@hearth/sdk';
import type { Mention, ReadMark, RemovedCommunity } from './community-source.ts';
import type { ReaderInbox } from './inbox/reader-inbox.ts';
import { NO_INBOX_NEWS, type InboxNews } from './inbox/inbox-news.ts';
import { notificationPath } from './inbox/notification-path.ts';
import { isNotified } from './marks.ts';

type PostedMessage = ClientEvents['channelMessage'];

/** The known state of the reader's communities, as the client reports it. */
export interface LiveNews {
  readonly communities: Signal<readonly MyCommunity[] | undefined>;
  readonly removed: Signal<ReadonlyMap<Id, RemovedCommunity>>;
  readonly mention: Signal<Mention | undefined>;
  readonly inbox: Signal<ReaderInbox | undefined>;
  readonly marks: Signal<ReadonlyMap<Id, ReadMark>>;
  readonly settings: Signal<ReadonlyMap<Id, NotificationSetting>>;
}

/** The parts of the client that know it. */
export interface KnownNews {
  readonly communities: Pick<CommunitiesClient, 'isLoaded' | 'all' | 'notificationSetting'>;
  channel(id: Id): Pick<ChannelClient, 'readState' | 'notificationSetting'>;
}

/** A message, post or comment that the reader may want to be notified of. */
interface Announceable extends Pick<Mention, 'author' | 'content' | 'isExcerpt'> {
  readonly about: Pick<
    Notification,
    'id' | 'community_id' | 'channel_id' | 'message_id' | 'post_id' | 'comment_id' | 'post_title'
  >;
  readonly isMention: boolean;
}

/** The number of messages of which the texts are known, for mentions that are reported after them. */
const MOST_TEXTS = 50;

/** Writes what the client reports of communities. */
export class NewsWriter {
  /** Changes of the notifications. */
  readonly inbox = signal<InboxNews>(NO_INBOX_NEWS);
  readonly #known: KnownNews;
  readonly #news: LiveNews;
  /** The channels whose marks have changed since they were written. */
  #marked = new Set<Id>();
  readonly #texts = new Map<Id, string>();
  readonly #announced = new Set<Id>();
  /** Notifications that are announced once their words are known. */
  readonly #awaited = new Set<Id>();
  readonly #now: () => number;

  constructor(known: KnownNews, news: LiveNews, now: () => number = Date.now) {
    this.#known = known;
    this.#news = news;
    this.#now = now;
  }

  /** Writes which communities there are. */
  showAll(): void {
    const { communities } = this.#known;
    if (communities.isLoaded) this.#news.communities.value = communities.all();
  }

  /** A community is the reader's. */
  show({ id, channels }: Pick<MyCommunity, 'id' | 'channels'>): void {
    const setting = this.#known.communities.notificationSetting(id);
    batch(() => {
      this.showAll();
      this.#note(id, undefined);
      for (const channel of channels) this.mark(channel.id);
      if (setting !== undefined) this.choose(setting);
    });
  }

  /** It is none of the reader's any more. */
  remove(id: Id, reason: RemovedCommunity['reason'] | 'signed_out'): void {
    const known =
      this.#news.communities.peek()?.find((each) => each.id === id) ??
      this.#unexplained(id, reason);
    batch(() => {
      if (known !== undefined && reason !== 'signed_out') {
        this.#note(id, { slug: known.slug, name: known.name, reason });
      }
      this.showAll();
    });
  }

  /** One that was removed for a reason that was not known, and is not the reader's own doing. */
  #unexplained(id: Id, reason: RemovedCommunity['reason'] | 'signed_out') {
    const removed = this.#news.removed.peek().get(id);
    const isByOthers = reason === 'kicked' || reason === 'banned';
    return removed?.reason === undefined && isByOthers ? removed : undefined;
  }

  /**
   * Notes that what is new in a channel has changed. READY reports that of all channels, so they are written together.
   */
  mark(id: Id): void {
    if (this.#marked.size === 0) queueMicrotask(() => this.#writeMarks());
    this.#marked.add(id);
  }

  /** A message came. */
  post({ message, community_id: communityId, isMention, isOwn }: PostedMessage): void {
    const { id, channel_id, content } = message;
    this.mark(channel_id);
    this.#remember(id, content);
    if (isOwn) return;
    const community = communityId !== undefined && { community_id: communityId };
    const about = { id, ...community, channel_id, message_id: id };
    this.#announce({ about, isMention, author: nameOfWriter(message), content });
  }

  /** Something concerns the reader. Its words come with the list. */
  concern(given: Notification): void {
    const { id, read: isRead = false } = given;
    if (isRead) return;
    const content = this.#texts.get(id);
    if (content === undefined) keepNewest(this.#awaited, id);
    else this.#announceConcern(given, { content });
    this.refreshInbox();
  }

  /** The list of notifications may be another one. */
  refreshInbox(): void {
    const { inbox } = this;
    inbox.value = { ...inbox.peek(), version: inbox.peek().version + 1 };
  }

  /** The newest notifications were read, with their words. */
  found(notifications: readonly Notification[]): void {
    for (const each of notifications) {
      if (this.#awaited.delete(each.id)) {
        this.#announceConcern(each, { content: each.excerpt ?? '', isExcerpt: true });
      }
    }
  }

  /** The reader has read all notifications up to one. */
  readUpTo(id: Id): void {
    const { inbox } = this;
    inbox.value = { ...inbox.peek(), readUpTo: id };
  }

  /** The reader has read the post that a notification is about. */
  readOne({ id, read }: Pick<Notification, 'id' | 'read'>): void {
    if (read !== true) return;
    const { inbox } = this;
    const readIds = new Set(inbox.peek().readIds).add(id);
    inbox.value = { ...inbox.peek(), readIds };
  }

  #announceConcern(about: Notification, words: Pick<Mention, 'content' | 'isExcerpt'>): void {
    const { user } = about;
    if (user === undefined) return;
    const author = nameOfPerson(user);
    this.#announce({ about, isMention: true, author, ...words });
  }

  /** Announces something once, if the reader wants that. */
  #announce({ about, isMention, ...said }: Announceable): void {
    const { id, community_id: communityId, channel_id: channelId } = about;
    const community = this.#known.communities.all().find((each) => each.id === communityId);
    const channel = community?.channels.find((each) => each.id === channelId);
    if (community === undefined || channel === undefined) return;
    const known = { settings: this.#news.settings.peek(), nowMs: this.#now() };
    if (!isNotified(community, channel, { ...known, isMention })) return;
    if (this.#announced.has(id)) return;
    keepNewest(this.#announced, id);
    const path = notificationPath(community.slug, about);
    if (path === undefined) return;
    this.#news.mention.value = { community, channel, path, ...said };
  }

  #remember(messageId: Id, content: string): void {
    this.#texts.set(messageId, content);
    for (const first of this.#texts.keys()) {
      if (this.#texts.size <= MOST_TEXTS) break;
      this.#texts.delete(first);
    }
  }

  /** The reader has chosen something for a community or channel. */
  choose(setting: NotificationSetting): void {
    const place = setting.channel_id ?? setting.community_id;
    if (place === undefined) return;
    const { settings } = this.#news;
    settings.value = new Map(settings.peek()).set(place, setting);
  }

  /** Writes everything that is known already. */
  begin(): void {
    batch(() => {
      this.showAll();
      for (const community of this.#known.communities.all()) {
        this.show(community);
        for (const { id } of community.channels) {
          const setting = this.#known.channel(id).notificationSetting;
          if (setting !== undefined) this.choose(setting);
        }
      }
    });
  }

  #writeMarks(): void {
    const marks = new Map(this.#news.marks.peek());
    for (const id of this.#marked) {
      const { isUnread, mentions, last_read_id: lastReadId } = this.#known.channel(id).readState;
      marks.set(id, { isUnread, mentions, lastReadId });
    }
    this.#marked = new Set();
    this.#news.marks.value = marks;
  }

  #note(id: Id, community: RemovedCommunity | undefined): void {
    const { removed } = this.#news;
    const others = new Map(removed.peek());
    if (!others.delete(id) && community === undefined) return;
    if (community !== undefined) others.set(id, community);
    removed.value = others;
  }
}

/** Adds an id to those that came last. */
function keepNewest(ids: Set<Id>, id: Id): void {
  ids.add(id);
  for (const first of ids) {
    if (ids.size <= MOST_TEXTS) break;
    ids.delete(first);
  }
}
