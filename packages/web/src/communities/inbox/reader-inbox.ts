import type { ReadonlySignal } from '@preact/signals';
import type { Id, Notification } from '@hearth/protocol';
import type { PagedList } from '../paged-list.ts';

/** The place of something, and its name. */
export interface NotifiedPlace {
  readonly community: string;
  readonly channel: string | undefined;
  readonly path: string | undefined;
}

/** The number of notifications that are unread. */
export interface UnreadCount {
  readonly count: number;
  /** True if there are more than these. */
  readonly isMore: boolean;
}

/** Notifications of the reader, as the page shows them. */
export interface ReaderInbox {
  readonly list: PagedList<Notification>;
  readonly unread: ReadonlySignal<UnreadCount>;
  /** The number of unread ones that the marks of channels do not count as mentions. */
  readonly unreadReplies: ReadonlySignal<number>;
  /** The number of mentions of channels that were read here or with their posts, and not with their channels. */
  readonly readMentions: ReadonlySignal<ReadonlyMap<Id, number>>;
  isRead(notification: Notification): boolean;
  /** Returns where a notification leads; undefined until that is known. */
  placeOf(notification: Notification): NotifiedPlace | undefined;
  /** Marks all that are there as read. Never rejects. */
  readAll(): Promise<void>;
}
