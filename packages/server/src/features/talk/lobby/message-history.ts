import type { Id, LobbyMessage } from '@hearth/protocol';
import type { Clock } from '../../../lib/clock.ts';
import type { HistoryBounds } from '../../../config/config.ts';
import type { Logger } from '../../../log/logger.ts';
import type { Database } from '../../../ports/database/database.ts';
import type { StoredMessage } from './message-groups.ts';
import type { Outdated } from './message-range.ts';

/**
 * Which messages are requested: those closest after `after`, otherwise the newest; all of them after `after` and
 * before `before`.
 */
export interface HistoryQuery {
  readonly after?: Id | undefined;
  readonly before?: Id | undefined;
  readonly limit: number;
}

/** The place of the messages that are kept. */
export interface Kept {
  readonly outdated: Outdated;
  /** Messages that are not yet written, in the order of dispatch. */
  readonly waiting: readonly StoredMessage[];
  /**
   * From here on nothing is read from the database, because it waits, or came later. Without an end, all of it is
   * read.
   */
  readonly end: Id | undefined;
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

  /**
   * Returns where the messages are that `list` would consider now. What is read from there later has nothing that was
   * dispatched after the call, unless it was written before its turn came. Rejects if that cannot be known.
   */
  kept(): Promise<Kept>;

  /** Resolves when everything that was dispatched before is written; rejects if it could not be. */
  flush(): Promise<void>;
}

export interface KeepsHistory {
  readonly history: MessageHistory;
}

export interface HistoryOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly bounds: HistoryBounds;
}
