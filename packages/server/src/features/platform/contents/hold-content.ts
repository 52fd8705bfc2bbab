import type { Transaction } from '../../../ports/database/database.ts';
import { lockContent } from './store.ts';

/** Keeps a content recorded until the transaction ends; false if it is not. */
export function holdContent({ sql }: Transaction, blobKey: string): Promise<boolean> {
  return lockContent(sql, blobKey);
}
