import type { StoredUpload } from './store.ts';

/** Who may see the content of an upload. */
export interface ContentAccess {
  /** What a request has to give to see it; undefined if it needs nothing. */
  readonly secret: string | undefined;
  /** Whether everyone sees it for now only. */
  readonly isRevocable: boolean;
}

/** Who may see the content of an upload. */
export function accessTo({ key, isPublic }: Pick<StoredUpload, 'key' | 'isPublic'>): ContentAccess {
  return {
    secret: isPublic || key === null ? undefined : key,
    isRevocable: isPublic && key !== null,
  };
}
