import type { Id, LobbyMessage } from '@hearth/protocol';
import type { Clock } from '../../lib/clock.ts';
import type { HistoryBounds } from '../../config/config.ts';
import type { Logger } from '../../log/logger.ts';
import type { Database } from '../../ports/database/database.ts';

/**
 * Which messages are requested: those closest after `after`, otherwise the newest; all of them after `after` and
 * before `before`.
 */
export interface HistoryQuery {
  readonly after?: Id | undefined;
  readonly before?: Id | undefined;
  readonly limit: number;
}

/**
 * The newest messages of the lobby. Every message has a number, and the newest numbers are kept. A message that is
 * beyond them stays so, whatever is removed later and whenever it is deleted.
 */
export interface MessageHistory extends AsyncDisposable {
  /**
   * The requested messages, the newest first: every message that was dispatched before the call is considered, written
   * or not, and none that was no longer kept. Rejects if that cannot be known.
   */
  list(query: HistoryQuery): Promise<readonly LobbyMessage[]>;

  /** Resolves when everything that was dispatched before is written; rejects if it could not be. */
  flush(): Promise<void>;
}

/** What a history needs. */
export interface HistoryOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly bounds: HistoryBounds;
}
