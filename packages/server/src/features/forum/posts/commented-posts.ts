import type { Id } from '@hearth/protocol';
import { SharedReads } from '../../../lib/shared-reads.ts';
import type { Database } from '../../../ports/database/database.ts';
import { findCommentedPost, type CommentedPost } from './commented-post-store.ts';

/** Finds posts with comments, each once for all who comment on it at the same time. */
export class CommentedPosts {
  readonly #database: Pick<Database, 'reader'>;
  readonly #reads = new SharedReads<Id, CommentedPost | undefined>();

  constructor(database: Pick<Database, 'reader'>) {
    this.#database = database;
  }

  /** A post as it was at the time of the call, or later. */
  find(id: Id): Promise<CommentedPost | undefined> {
    return this.#reads.read(id, () => findCommentedPost(this.#database.reader, id));
  }
}

export interface KeepsCommentedPosts {
  readonly commentedPosts: CommentedPosts;
}
