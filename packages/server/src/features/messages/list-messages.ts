import type { LobbyMessage } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import type { HistoryQuery } from './message-history.ts';

/** The messages of the lobby that are asked for, the newest first. */
export function listMessages(ctx: Context, query: HistoryQuery): Promise<readonly LobbyMessage[]> {
  return ctx.history.list(query);
}
