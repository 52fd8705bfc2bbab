import type { Id } from '@hearth/protocol';

/** A message of the lobby as it is shown. */
export interface MessageEntry {
  readonly kind: 'message';
  /** Stays the same while a message of this browser goes out and comes back: its nonce where it has one. */
  readonly key: string;
  readonly id: Id | undefined;
  readonly author: string;
  readonly content: string;
  readonly createdAtMs: number;
  readonly nonce: string | undefined;
  readonly isOwn: boolean;
  /** It was the oldest of its page: what is older comes above it and leaves it as it is. */
  readonly isPageStart: boolean;
}

/** A place where messages may be missing; own Unix clock. */
export interface GapEntry {
  readonly kind: 'gap';
  readonly key: string;
  readonly fromMs: number;
  readonly untilMs: number;
  /** The newest message before it. */
  readonly afterId: Id | undefined;
}

/** What the lobby is a list of. */
export type LobbyEntry = MessageEntry | GapEntry;

/** What is known of the messages before the first entry. */
export type OlderState = 'unknown' | 'loading' | 'more' | 'none' | 'failed' | 'unavailable';
