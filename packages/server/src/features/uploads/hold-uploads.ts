import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import { lockUploadsOf } from './attached-store.ts';

/**
 * Keeps uploads of a user from being removed until the transaction ends, which attaches them to something. Returns how many of
 * them there are.
 */
export async function holdUploads(
  tx: Transaction,
  uploads: { readonly userId: Id; readonly ids: readonly Id[] },
): Promise<number> {
  const blobKeys = await lockUploadsOf(tx.sql, uploads);
  // From then on it depends on more whether they are served.
  for (const blobKey of blobKeys) tx.changed('content', blobKey);
  return blobKeys.length;
}
