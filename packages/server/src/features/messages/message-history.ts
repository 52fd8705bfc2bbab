import type { Id, LobbyMessage } from '@hearth/protocol';
import type { Clock } from '../../clock.ts';
import type { HistoryBounds } from '../../config/config.ts';
import type { Logger } from '../../log/logger.ts';
import type { Database } from '../../ports/database/database.ts';

/** Which messages are asked for: those closest after `after`, or else the newest, before `before` and behind `after`. */
export interface HistoryQuery {
  readonly after?: Id | undefined;
  readonly before?: Id | undefined;
  readonly limit: number;
}

/**
 * The newest messages of the lobby. Every message has a number, and what is kept are the newest numbers: a message that
 * is beyond them stays so, whatever is removed later and whenever it is deleted.
 */
export interface MessageHistory extends AsyncDisposable {
  /**
   * The messages that are asked for, the newest first: whatever was dispatched before the call is among them, written
   * or not, and nothing that was beyond what is kept. Rejects where that cannot be known.
   */
  list(query: HistoryQuery): Promise<readonly LobbyMessage[]>;

  /** Resolves when everything is written that was dispatched before; rejects where it could not be. */
  flush(): Promise<void>;
}

/** What a history is kept with. */
export interface HistoryOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly bounds: HistoryBounds;
}
