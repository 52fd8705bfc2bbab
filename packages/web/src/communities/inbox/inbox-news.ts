import type { Id } from '@hearth/protocol';

/** What is new in the reader's notifications since the page was loaded. */
export interface InboxNews {
  /** Grows whenever the list has to be read again; 0 until it can be read. */
  readonly version: number;
  /** How far all of them were read, on any device. */
  readonly readUpTo: Id | undefined;
  /** Those that were read with their posts, on any device. */
  readonly readIds: ReadonlySet<Id>;
}

/** Nothing is known yet. */
export const NO_INBOX_NEWS: InboxNews = { version: 0, readUpTo: undefined, readIds: new Set() };
