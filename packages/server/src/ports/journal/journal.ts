import type { Id } from '@hearth/protocol';

/** An event's data in the journal, as it was appended, with its identifier. */
export type Journaled = object & { readonly id: Id };

/**
 * What was appended to the stream that has a journal and is not stored elsewhere yet, in the order of identifiers, for
 * all processes of an instance. The bus adds to it, in one step with giving an event its place. It is bounded: of too
 * much the oldest is lost.
 */
export interface Journal {
  /** The oldest, as many as `limit`, or all. */
  read(limit?: number): Promise<readonly Journaled[]>;

  /** Forgets everything up to and including this identifier. Harmless if repeated. */
  drop(upTo: Id): Promise<void>;
}
