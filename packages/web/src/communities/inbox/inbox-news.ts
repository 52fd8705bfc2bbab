import type { Id } from '@hearth/protocol';

/** Changes of the reader's notifications since the page was loaded. */
export interface InboxNews {
  /** Grows whenever the list has to be read again; 0 until it can be read. */
  readonly version: number;
  /** The newest one up to which all were read, on any device. */
  readonly readUpTo: Id | undefined;
  /** Notifications that were read with their posts, on any device. */
  readonly readIds: ReadonlySet<Id>;
}

/** Nothing is known yet. */
export const NO_INBOX_NEWS: InboxNews = { version: 0, readUpTo: undefined, readIds: new Set() };
