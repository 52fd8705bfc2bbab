import type { Id } from '@hearth/protocol';

/** An event's data in the journal, as it was appended, with its identifier. */
export type Journaled = object & { readonly id: Id };

/**
 * The events that were appended to a stream with a journal and are not stored elsewhere yet, in the order of their
 * identifiers and for all processes of an instance. The bus adds an event in the same step in which it gives the event
 * its position. The journal is bounded: if it is full, the oldest events are lost.
 */
export interface Journal {
  /** Returns the oldest events, at most `limit` of them, or all. */
  read(limit?: number): Promise<readonly Journaled[]>;

  /** Removes all events up to and including this identifier. Harmless if repeated. */
  drop(upTo: Id): Promise<void>;
}
