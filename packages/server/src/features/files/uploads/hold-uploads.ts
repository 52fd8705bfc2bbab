import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { lockUploads, selectAttached, type Attaching } from './attached-store.ts';

/** Uploads that nobody else attaches or removes until the transaction ends. */
export interface HeldUploads {
  /** Uploads that exist and belong to their users. */
  readonly held: ReadonlySet<Id>;
  /** Uploads that belong to a message or a post. */
  readonly attached: ReadonlySet<Id>;
}

/** Keeps uploads of users from being removed until the transaction ends, which attaches them to something. */
export async function holdUploads(
  tx: Transaction,
  uploads: readonly Attaching[],
): Promise<HeldUploads> {
  const blobKeys = await lockUploads(tx, uploads);
  // From then on it depends on more whether they are served.
  for (const blobKey of blobKeys.values()) tx.changed('content', blobKey);
  return {
    held: new Set(blobKeys.keys()),
    attached: await selectAttached(tx, [...blobKeys.keys()]),
  };
}
