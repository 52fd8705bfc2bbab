import type { ServedUpload } from './served-store.ts';

/** Who may see the content of an upload. */
export interface ContentAccess {
  /** What a request has to give to see it; undefined if it needs nothing. */
  readonly secret: string | undefined;
  /** Whether everyone sees it for now only. */
  readonly isRevocable: boolean;
  /** The ids of the uploader and the places with which the upload goes. */
  readonly goesWith: readonly string[];
}

/** Who may see the content of an upload. */
export function accessTo({
  key,
  isPublic,
  goesWith,
}: Pick<ServedUpload, 'key' | 'isPublic' | 'goesWith'>): ContentAccess {
  return {
    secret: isPublic || key === null ? undefined : key,
    isRevocable: isPublic && key !== null,
    goesWith,
  };
}
