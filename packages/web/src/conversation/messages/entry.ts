import type { Id } from '@hearth/protocol';

/** A message as it is shown. */
export interface MessageEntry {
  readonly kind: 'message';
  /** Stays the same while a message of this browser goes out and comes back: its nonce, if it has one. */
  readonly key: string;
  readonly id: Id | undefined;
  readonly author: string;
  readonly content: string;
  readonly createdAtMs: number;
  readonly nonce: string | undefined;
  readonly isOwn: boolean;
  /** It was the oldest of its page: older messages come above it and leave it as it is. */
  readonly isPageStart: boolean;
}

/** A gap, where messages may be missing; our Unix clock. */
export interface GapEntry {
  readonly kind: 'gap';
  readonly key: string;
  readonly fromMs: number;
  readonly untilMs: number;
  /** The newest message before it. */
  readonly afterId: Id | undefined;
}

/** An entry of the list. */
export type ConversationEntry = MessageEntry | GapEntry;

/** Whether an entry is a message with an identifier; messages of servers without a history have none. */
export function hasId(entry: ConversationEntry): entry is MessageEntry & { readonly id: Id } {
  return entry.kind === 'message' && entry.id !== undefined;
}

/** The state of the messages before the first entry. */
export type OlderState = 'unknown' | 'loading' | 'more' | 'none' | 'failed' | 'unavailable';
