import type { ReadonlySignal } from '@preact/signals';
import type { Id, Notification } from '@hearth/protocol';
import type { PagedList } from '../paged-list.ts';

/** Where something is, and how it is called. */
export interface NotifiedPlace {
  readonly community: string;
  readonly channel: string | undefined;
  readonly path: string | undefined;
}

/** How many notifications are unread. */
export interface UnreadCount {
  readonly count: number;
  /** Whether there are more than these. */
  readonly isMore: boolean;
}

/** What concerns the reader, as the page shows it. */
export interface ReaderInbox {
  readonly list: PagedList<Notification>;
  readonly unread: ReadonlySignal<UnreadCount>;
  /** How many unread ones the marks of channels do not count as mentions. */
  readonly unreadReplies: ReadonlySignal<number>;
  /** How many mentions of channels were read here or with their posts, and not with their channels. */
  readonly readMentions: ReadonlySignal<ReadonlyMap<Id, number>>;
  isRead(notification: Notification): boolean;
  /** Where a notification leads; undefined until that is known. */
  placeOf(notification: Notification): NotifiedPlace | undefined;
  /** Marks all that are there as read. Never rejects. */
  readAll(): Promise<void>;
}
