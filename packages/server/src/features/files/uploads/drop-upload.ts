import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import type { Release } from '../../platform/contents/contents.ts';
import { deleteUnusedUpload } from './attached-store.ts';

/** Removes an upload that something does not use any more, unless something else does. */
export async function dropUpload(tx: Transaction, id: Id, release: Release): Promise<void> {
  const blobKey = await deleteUnusedUpload(tx.sql, id);
  if (blobKey !== undefined) await release(tx, blobKey);
}
