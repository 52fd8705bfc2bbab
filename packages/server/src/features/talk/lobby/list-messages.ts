import type { Id, LobbyMessage } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { completeMessages } from './complete-messages.ts';
import { listAround } from './list-around.ts';
import type { LobbyReading } from './lobby-reading.ts';
import type { HistoryQuery } from './message-history.ts';
import { findLobby } from '../places/places.ts';

/** Which messages are requested: those on one side of a place, or those around one. */
export interface MessageQuery extends HistoryQuery {
  /** Without `after` and `before`. */
  readonly around?: Id | undefined;
}

/**
 * The requested messages of the lobby, the newest first, with the files that they name and their authors. Throws
 * UnauthorizedError or NotFoundError if the lobby is closed, and ForbiddenError if the access code is needed.
 */
export async function listMessages(
  ctx: LobbyReading,
  actor: Actor,
  { around, ...query }: MessageQuery,
): Promise<readonly LobbyMessage[]> {
  await findLobby(ctx, actor);
  const { history } = ctx;
  const messages =
    around === undefined
      ? await history.list(query)
      : await listAround(history, { around, limit: query.limit });
  return completeMessages(ctx, actor, messages);
}
