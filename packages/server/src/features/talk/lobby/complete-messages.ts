import type { LobbyMessage } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { KeepsNamedFiles } from '../../files/uploads/uploads.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import { selectReactionsOf } from '../reactions/reactions.ts';
import { withFiles } from './with-files.ts';
import { withUsers } from './with-users.ts';

/** Messages of the history with everything that is not kept in them: their files and authors, and what `actor` reacted. */
export async function completeMessages(
  ctx: Pick<Context, 'database'> & KeepsNamedFiles & KeepsUsers,
  actor: Actor,
  messages: readonly LobbyMessage[],
): Promise<readonly LobbyMessage[]> {
  return withPeople(ctx, actor, await withFiles(ctx, messages));
}

/** Completes messages without their files. */
export async function withPeople(
  ctx: Pick<Context, 'database'> & KeepsUsers,
  actor: Actor,
  messages: readonly LobbyMessage[],
): Promise<readonly LobbyMessage[]> {
  return withOwnReactions(ctx, actor, await withUsers(ctx, messages));
}

async function withOwnReactions(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
  messages: readonly LobbyMessage[],
): Promise<readonly LobbyMessage[]> {
  if (actor.kind !== 'account') return messages;
  const ids = messages.flatMap(({ id, reactions }) => (reactions === undefined ? [] : [id]));
  if (ids.length === 0) return messages;
  const own = await selectReactionsOf(database.reader, actor.user_id, ids);
  return messages.map((message) => {
    const mine = own.get(message.id);
    if (mine === undefined || message.reactions === undefined) return message;
    const reactions = message.reactions.map((reaction) =>
      mine.has(reaction.emoji) ? { ...reaction, mine: true as const } : reaction,
    );
    return { ...message, reactions };
  });
}
