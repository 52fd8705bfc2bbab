import type { FileData } from '@hearth/protocol';
import type { StoredUpload } from './store.ts';

/** An upload as clients receive it, without the fields that have no value (Resources: FileData). */
export function describeUpload(
  upload: Pick<
    StoredUpload,
    'id' | 'name' | 'bucket' | 'spoiler' | 'metadata' | 'sizeBytes' | 'placeholder'
  >,
): FileData {
  const { id, name, bucket, spoiler, metadata, sizeBytes, placeholder } = upload;
  return {
    id,
    name,
    bucket,
    ...(spoiler ? { spoiler } : {}),
    metadata,
    size: sizeBytes,
    ...(placeholder === null || placeholder === '' ? {} : { placeholder }),
  };
}
