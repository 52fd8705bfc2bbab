import type { ChannelMessage } from '@hearth/protocol';
import type { ChannelWrite, InOrder, NotWritten } from './channel-writes.ts';
import type { Draft } from './message-draft.ts';
import type { StoredMessage } from './stored-message.ts';

/** A message that is to be written. */
export interface MessageWrite extends ChannelWrite {
  readonly draft: Draft;
}

/** A message that was posted, or the reason why it was not. */
export type Posted = { readonly message: ChannelMessage } | NotWritten;

/** A message in the order of its channel. */
export type Placed = InOrder<MessageWrite> & { readonly message: StoredMessage };

/** A message in its place. */
export function placedOf(entry: InOrder<MessageWrite>): Placed {
  const { id, turning, draft, writtenAtMs: createdAtMs } = entry;
  const message: StoredMessage = {
    channelId: turning.access.channel.id,
    id,
    userId: draft.author.id,
    content: draft.content,
    createdAtMs,
    editedAtMs: 0,
    replyTo: draft.target?.id ?? '',
    mentions: draft.mentions,
    files: draft.files,
    reactions: [],
    isPinned: false,
    postId: '',
    isCard: false,
    version: 1,
  };
  return { ...entry, message };
}
