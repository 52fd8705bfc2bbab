import { FILE_KEY_CHARACTERS } from '@hearth/protocol';
import { randomBytes } from 'node:crypto';
import { isSameSecret } from '../../../lib/same-secret.ts';
import type { ServedUpload } from './served-store.ts';
import type { StoredUpload } from './store.ts';

/** Conditions under which the content of an upload may be seen. */
export interface ContentAccess {
  /** The secret that a request has to give to see it; undefined if it needs nothing. */
  readonly secret: string | undefined;
  /** True if everyone sees it for now only. */
  readonly isRevocable: boolean;
  /** The ids of the uploader and the places with which the upload goes. */
  readonly goesWith: readonly string[];
}

/** Returns under which conditions the content of an upload may be seen. */
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

/** A new key of 128 bits, in hexadecimal digits: no program takes one of them for the end of an address. */
export function newFileKey(): string {
  return randomBytes(FILE_KEY_CHARACTERS / 2).toString('hex');
}

/** Returns whether an upload has a key and `given` is that key. */
export function isItsKey({ key }: Pick<StoredUpload, 'key'>, given: string | undefined): boolean {
  return key !== null && given !== undefined && isSameSecret(key, given);
}

/** Checks whether an upload is shown to people who give this key, or none. Nothing is that goes with what was deleted. */
export function isOpenTo(
  upload: Pick<ServedUpload, 'key' | 'isPublic' | 'isErased' | 'isOfDeletedPlace'>,
  given: string | undefined,
): boolean {
  if (upload.isErased) return false;
  return upload.isPublic || (isItsKey(upload, given) && !upload.isOfDeletedPlace);
}
