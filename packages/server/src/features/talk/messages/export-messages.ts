import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { listFile, type ExportPart } from '../../accounts/exports/exports.ts';
import { eachReaction } from '../reactions/reactions.ts';
import { selectMessagesOf, shortRanges } from './store.ts';

/** The messages of a person in channels, the oldest first, and their reactions, those to the oldest messages first. */
export const exportChannelMessages: ExportPart = async (ctx, userId) => [
  listFile(ctx, 'messages.json', () => messagesOf(ctx, userId)),
  listFile(ctx, 'message-reactions.json', () => reactionsOf(ctx, userId)),
];

async function* messagesOf({ database: { reader } }: Context, userId: Id): AsyncGenerator<object> {
  for await (const range of shortRanges(reader)) {
    const messages = await selectMessagesOf(reader, userId, range);
    // Cards are the posts that they show.
    const written = messages.filter(({ isCard }) => !isCard);
    for (const { channelId, id, content, createdAtMs, editedAtMs, replyTo, files } of written) {
      yield {
        channel_id: channelId,
        id,
        content,
        created_at: createdAtMs,
        ...(editedAtMs > 0 && { edited_at: editedAtMs }),
        ...(replyTo !== '' && { reply_to: replyTo }),
        ...(files.length > 0 && { attachments: files }),
      };
    }
  }
}

async function* reactionsOf({ database }: Context, userId: Id): AsyncGenerator<object> {
  for await (const reaction of eachReaction(database.reader, userId, 'channels')) {
    const { channelId, messageId, emoji, reactedAtMs } = reaction;
    yield { channel_id: channelId, message_id: messageId, emoji, created_at: reactedAtMs };
  }
}
