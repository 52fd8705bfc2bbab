import type { Id, Reaction } from '@hearth/protocol';
import { storedMentions, type Mentions } from '../mentions/mentions.ts';
import type { AttachedId } from '../writing/writing.ts';
import type { ChannelMessagesTable } from './tables.ts';

/** A message as it is stored. */
export interface StoredMessage {
  readonly channelId: Id;
  readonly id: Id;
  readonly userId: Id;
  /** Not of a card, which is read with the title of its post. */
  readonly content: string;
  readonly createdAtMs: number;
  /** 0 if it was never edited. */
  readonly editedAtMs: number;
  /** Empty if it is no reply. */
  readonly replyTo: Id | '';
  readonly mentions: Mentions;
  readonly files: readonly AttachedId[];
  readonly reactions: readonly Omit<Reaction, 'mine'>[];
  readonly isPinned: boolean;
  /** The post that was made from it, or that it shows; empty if there is none. */
  readonly postId: Id | '';
  /** True if it shows a post. */
  readonly isCard: boolean;
  readonly version: number;
}

/** A message of a row. */
export function messageOf(row: ChannelMessagesTable): StoredMessage {
  return {
    channelId: row.channel_id,
    id: row.id,
    userId: row.user_id,
    content: row.content,
    createdAtMs: row.created_at_ms,
    editedAtMs: row.edited_at_ms,
    replyTo: row.reply_to,
    mentions: storedMentions(row.mentions),
    // Guarantee: what is stored was made by the functions that write it.
    files: row.files === '' ? [] : (JSON.parse(row.files) as readonly AttachedId[]),
    reactions: row.reactions === '' ? [] : (JSON.parse(row.reactions) as readonly Reaction[]),
    isPinned: Number(row.pinned) > 0,
    postId: row.post_id,
    isCard: row.kind === 'post',
    version: Number(row.version),
  };
}

/** Files or reactions as they are stored. */
export function listText(list: readonly unknown[]): string {
  return list.length === 0 ? '' : JSON.stringify(list);
}
