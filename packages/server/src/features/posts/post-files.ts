import { ValidationError } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import { holdUploads } from '../uploads/hold-uploads.ts';
import { insertPostFiles } from './post-file-store.ts';
import type { StoredPost } from './stored-post.ts';

/** Attaches files to a post, in the transaction that adds it. Throws ValidationError if they belong to something else. */
export async function attachToPost(tx: Transaction, post: StoredPost): Promise<void> {
  if (post.files.length === 0) return;
  const ids = post.files.map(({ id }) => id);
  if ((await holdUploads(tx, { userId: post.userId, ids })) < ids.length) {
    throw new ValidationError('attachments', 'must be files that you have uploaded');
  }
  if (!(await insertPostFiles(tx.sql, post, ids))) {
    throw new ValidationError('attachments', 'must not belong to another message or post');
  }
}
