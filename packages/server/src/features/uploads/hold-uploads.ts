import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../ports/database/database.ts';
import { lockUploadsOf } from './attached-store.ts';

/** Keeps uploads of a user from being removed until the transaction ends. Returns how many of them there are. */
export function holdUploads(
  { sql }: Transaction,
  uploads: { readonly userId: Id; readonly ids: readonly Id[] },
): Promise<number> {
  return lockUploadsOf(sql, uploads);
}
