import type { LobbyMessage } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { LobbyContext } from './lobby-context.ts';
import type { HistoryQuery } from './message-history.ts';

/** The requested messages of the lobby, the newest first. */
export function listMessages(
  ctx: LobbyContext,
  _actor: Actor,
  query: HistoryQuery,
): Promise<readonly LobbyMessage[]> {
  return ctx.history.list(query);
}
