import type { Id, LobbyMessage } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import { listAround } from './list-around.ts';
import type { LobbyContext } from './lobby-context.ts';
import type { HistoryQuery } from './message-history.ts';

/** Which messages are requested: those on one side of a place, or those around one. */
export interface MessageQuery extends HistoryQuery {
  /** Without `after` and `before`. */
  readonly around?: Id | undefined;
}

/** The requested messages of the lobby, the newest first. */
export function listMessages(
  ctx: LobbyContext,
  _actor: Actor,
  { around, ...query }: MessageQuery,
): Promise<readonly LobbyMessage[]> {
  const { history } = ctx;
  if (around === undefined) return history.list(query);
  return listAround(history, { around, limit: query.limit });
}
