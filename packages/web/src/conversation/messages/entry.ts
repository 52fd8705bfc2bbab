import type { ChannelMessage, Id } from '@hearth/protocol';
import type { Reaction, UserSummary } from '@hearth/sdk';

/** Details of a message that only Hearth knows. */
export interface MessageDetails {
  /** The account that posted it; undefined for a visitor. */
  readonly user?: UserSummary | undefined;
  /** When its text was changed last. */
  readonly editedAtMs?: number | undefined;
  /** Grows with each change; a message that was never changed has none. */
  readonly version?: number | undefined;
  readonly reactions?: readonly Reaction[] | undefined;
  readonly named?: NamedIn | undefined;
  readonly isPinned?: true | undefined;
  /** The post that was made from it, or that it shows. */
  readonly postId?: Id | undefined;
  /** It shows that something was posted elsewhere. */
  readonly isCard?: true | undefined;
  /** The account that posted the message that it replies to, if the instance says so. */
  readonly repliedTo?: UserSummary | undefined;
}

/** The people and things that a message of a channel names. */
export type NamedIn = Pick<
  ChannelMessage,
  'mentions' | 'mention_roles' | 'mention_channels' | 'mention_posts' | 'mentions_all'
>;

/** A message as it comes from the instance. */
interface Detailed extends NamedIn {
  readonly user?: UserSummary;
  readonly edited_at?: number;
  readonly version?: number;
  readonly reactions?: readonly Reaction[];
  readonly pinned?: true;
  readonly post_id?: Id;
  readonly kind?: 'post';
  readonly reply_to?: ChannelMessage['reply_to'];
}

/** Returns what only Hearth knows of a message that came from the instance. */
export function detailsOf(message: Detailed): MessageDetails {
  const { user, edited_at: editedAtMs, version, reactions } = message;
  return {
    user,
    editedAtMs,
    version,
    reactions,
    named: namedIn(message),
    isPinned: message.pinned,
    postId: message.post_id,
    isCard: message.kind === 'post' || undefined,
    repliedTo: message.reply_to?.user,
  };
}

function namedIn(message: NamedIn): NamedIn | undefined {
  const { mentions, mention_roles, mention_channels, mention_posts, mentions_all } = message;
  if (!(mentions || mention_roles || mention_channels || mention_posts || mentions_all)) {
    return undefined;
  }
  return message;
}

/** A message as it is shown. */
export interface MessageEntry extends MessageDetails {
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

/** Returns whether an entry is a message with an identifier; messages of servers without a history have none. */
export function hasId(entry: ConversationEntry): entry is MessageEntry & { readonly id: Id } {
  return entry.kind === 'message' && entry.id !== undefined;
}

/** The state of the messages before the first entry. */
export type OlderState = 'unknown' | 'loading' | 'more' | 'none' | 'failed' | 'unavailable';
