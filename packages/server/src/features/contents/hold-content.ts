import type { Transaction } from '../../ports/database/database.ts';
import { isRecorded, lockContent } from './store.ts';

/** Keeps a content recorded until the transaction ends; false if it is not. */
export async function holdContent({ sql }: Transaction, blobKey: string): Promise<boolean> {
  await lockContent(sql, blobKey);
  return isRecorded(sql, blobKey);
}
