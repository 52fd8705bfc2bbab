import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import type { Release } from '../contents/release-content.ts';
import { deleteUnusedUpload } from './attached-store.ts';

/** Removes the upload of something that is removed, unless it is also used as an avatar or the like. */
export async function dropUpload(tx: Transaction, id: Id, release: Release): Promise<void> {
  const blobKey = await deleteUnusedUpload(tx.sql, id);
  if (blobKey !== undefined) await release(tx, blobKey);
}
