import { FILE_KEY_CHARACTERS } from '@hearth/protocol';
import { randomBytes } from 'node:crypto';
import { isSameSecret } from '../../lib/same-secret.ts';
import type { StoredUpload } from './store.ts';

/** A new key of 128 bits, in hexadecimal digits: no program takes one of them for the end of an address. */
export function newFileKey(): string {
  return randomBytes(FILE_KEY_CHARACTERS / 2).toString('hex');
}

/** Whether an upload has a key and `given` is that key. */
export function isItsKey({ key }: Pick<StoredUpload, 'key'>, given: string | undefined): boolean {
  return key !== null && given !== undefined && isSameSecret(key, given);
}

/** Whether an upload is shown to those who give this key, if they give one. */
export function isOpenTo(
  upload: Pick<StoredUpload, 'key' | 'isPublic'>,
  given: string | undefined,
): boolean {
  return upload.isPublic || isItsKey(upload, given);
}
