import type { LobbyMessage } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { eachMessage } from './each-message.ts';
import type { KeepsHistory } from './message-history.ts';

/** Which messages are meant: those for which everything that is given holds. */
export interface MessageFilter {
  /** The author's name, exactly as it is shown. */
  readonly author?: string | undefined;
  /** Posted at this time or later, in Unix milliseconds. */
  readonly sinceMs?: number | undefined;
}

/** The messages of the whole history that match, the oldest first. Throws ForbiddenError. */
export async function findMessages(
  ctx: KeepsHistory,
  actor: Actor,
  { author, sinceMs }: MessageFilter,
): Promise<readonly LobbyMessage[]> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const found: LobbyMessage[] = [];
  for await (const message of eachMessage(ctx.history)) {
    const isByAuthor = author === undefined || message.author === author;
    if (isByAuthor && message.created_at >= (sinceMs ?? -Infinity)) found.push(message);
  }
  return found.toReversed();
}
