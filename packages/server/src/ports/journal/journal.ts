import type { Id, LobbyMessage } from '@hearth/protocol';

/**
 * What was dispatched and is not in the database yet, in the order of dispatch, for all processes of an instance. The
 * bus adds to it, in one step with giving a message its place. It is bounded: of too much the oldest is lost.
 */
export interface Journal {
  /** The oldest messages, as many as `limit`, or all. */
  read(limit?: number): Promise<readonly LobbyMessage[]>;

  /** Forgets everything up to and including this message. Harmless when repeated. */
  drop(upTo: Id): Promise<void>;
}
