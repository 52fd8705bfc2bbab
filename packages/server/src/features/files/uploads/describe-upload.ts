import type { FileData } from '@hearth/protocol';
import type { StoredUpload } from './store.ts';

/** The described part of an upload. Its key is described only to those who know it. */
type Described = Pick<
  StoredUpload,
  'id' | 'name' | 'bucket' | 'spoiler' | 'metadata' | 'sizeBytes' | 'placeholder'
> & { readonly key: string | null };

/** An upload as clients receive it, without the fields that have no value (Resources: FileData). */
export function describeUpload(upload: Described): FileData {
  const { id, name, bucket, spoiler, metadata, sizeBytes, placeholder, key } = upload;
  return {
    id,
    name,
    bucket,
    ...(spoiler ? { spoiler } : {}),
    metadata,
    size: sizeBytes,
    ...(placeholder === null || placeholder === '' ? {} : { placeholder }),
    ...(key === null ? {} : { key }),
  };
}
