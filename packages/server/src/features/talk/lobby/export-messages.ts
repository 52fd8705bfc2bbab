import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { listFile, type ExportPart } from '../../accounts/exports/exports.ts';
import type { KeepsHistory } from './message-history.ts';
import { selectReactionsAfter } from './changes/store.ts';
import { eachMessage } from './each-message.ts';

/** The number of reactions that are read at a time. */
const REACTIONS_AT_ONCE = 1_000;

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
  for (let after; ;) {
    const range = { after, limit: REACTIONS_AT_ONCE };
    const reactions = await selectReactionsAfter(database.reader, userId, range);
    for (const { messageId: message_id, emoji, reactedAtMs: created_at } of reactions) {
      yield { message_id, emoji, created_at };
    }
    after = reactions.at(-1);
    if (after === undefined) return;
  }
}
