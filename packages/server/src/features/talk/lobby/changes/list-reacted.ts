import { idAfter, NotFoundError, type Id, type UserSummary } from '@hearth/protocol';
import type { Actor } from '../../../../actor.ts';
import type { Context } from '../../../../context.ts';
import { deletedUser, type KeepsUsers } from '../../../accounts/users/users.ts';
import { requireEmoji } from '../../reactions/reactions.ts';
import type { KeepsHistory } from '../message-history.ts';
import { findLobby } from '../../places/places.ts';
import type { ReactedRange } from '../../reactions/reactions.ts';
import { selectReacted } from './store.ts';

/** Which of the people who reacted to a message with an emoji. */
export interface ReactedQuery extends ReactedRange {
  readonly id: Id;
  readonly emoji: string;
}

/**
 * Lists who reacted to a message with an emoji, the newest account first. Throws NotFoundError if there is no such
 * message, ForbiddenError if the access code is needed, and ValidationError.
 */
export async function listReacted(
  ctx: Context & KeepsHistory & KeepsUsers,
  actor: Actor,
  { id, emoji, ...range }: ReactedQuery,
): Promise<readonly UserSummary[]> {
  await findLobby(ctx, actor);
  const place = { messageId: id, emoji: requireEmoji(emoji) };
  const [message] = await ctx.history.list({ before: idAfter(id), limit: 1 });
  if (message?.id !== id) throw new NotFoundError();
  const ids = await selectReacted(ctx.database.reader, place, range);
  const users = await ctx.users.all(ids);
  return ids.map((each) => users.get(each) ?? deletedUser(each));
}
