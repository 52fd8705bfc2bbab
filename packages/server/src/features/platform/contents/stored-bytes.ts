import type { Context } from '../../../context.ts';
import { selectStoredBytes } from './store.ts';

/** The bytes that the contents of a bucket take. */
export function storedBytes({ database }: Context, bucket: string): Promise<number> {
  return selectStoredBytes(database.reader, bucket);
}
