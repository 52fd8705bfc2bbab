import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { listFile, type ExportPart } from '../../accounts/exports/exports.ts';
import type { KeepsHistory } from './message-history.ts';
import { eachReaction } from '../reactions/reactions.ts';
import { eachMessage } from './each-message.ts';

/** The messages of a person in the lobby, the newest first, and their reactions, those to the oldest messages first. */
export const exportLobby: ExportPart<Context & KeepsHistory> = async (ctx, userId) => [
  listFile(ctx, 'lobby.json', () => messagesOf(ctx, userId)),
  listFile(ctx, 'reactions.json', () => reactionsOf(ctx, userId)),
];

async function* messagesOf(ctx: KeepsHistory, userId: Id): AsyncGenerator<object> {
  for await (const message of eachMessage(ctx.history)) {
    if (message.user?.id === userId) yield message;
  }
}

async function* reactionsOf({ database }: Context, userId: Id): AsyncGenerator<object> {
  for await (const reaction of eachReaction(database.reader, userId, 'lobby')) {
    const { messageId: message_id, emoji, reactedAtMs: created_at } = reaction;
    yield { message_id, emoji, created_at };
  }
}
