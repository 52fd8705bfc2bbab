import type { FileData } from '@hearth/protocol';
import type { StoredUpload } from './store.ts';

/** An upload as clients receive it; `spoiler` only if it is true (Resources: FileData). */
export function describeUpload(
  upload: Pick<StoredUpload, 'id' | 'name' | 'bucket' | 'spoiler' | 'metadata'>,
): FileData {
  const { id, name, bucket, spoiler, metadata } = upload;
  return spoiler ? { id, name, bucket, spoiler, metadata } : { id, name, bucket, metadata };
}
