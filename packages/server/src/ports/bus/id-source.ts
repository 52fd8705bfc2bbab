import type { Id } from '@hearth/protocol';

/** Makes identifiers that never repeat within the instance. */
export interface IdSource {
  /** The next identifier. Throws ServerError if the instance is more than 60 s of identifiers ahead of time. */
  next(): Promise<Id>;

  /** An identifier greater than `after` and than all that this process has made. Throws what storing it throws. */
  after(id: Id): Promise<Id>;

  /** Returns an identifier at once, for a transaction, which must not wait for it; undefined if none is available. */
  afterNow(id: Id): Id | undefined;

  /**
   * Passes the next identifier to `use` before any later one is made, so that what is done with identifiers has their
   * order; at once if one is available. Throws the same errors, and what `use` throws.
   */
  nextFor<Result>(use: (id: Id) => Result): Result | Promise<Awaited<Result>>;
}
