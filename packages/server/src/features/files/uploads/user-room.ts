import { ValidationError, type Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { addUserBytes, selectUserBytes } from './store.ts';

interface UserUpload {
  readonly userId: Id;
  readonly bytes: number;
  /** The number of bytes that the uploads of a user may take together. */
  readonly mostBytes: number;
}

/** Throws ValidationError for `file` if an upload does not fit into what its user may store. */
export async function requireUserRoom(
  { database }: Context,
  { userId, bytes, mostBytes }: UserUpload,
): Promise<void> {
  const leftBytes = mostBytes - (await selectUserBytes(database.reader, userId));
  if (bytes > leftBytes) throw noUserRoom(leftBytes);
}

/**
 * Counts an upload that the transaction records. Other uploads of its user wait until the transaction ends. Throws the
 * same.
 */
export async function takeUserRoom(
  { sql }: Transaction,
  { userId, bytes, mostBytes }: UserUpload,
): Promise<void> {
  const taken = await addUserBytes(sql, userId, bytes);
  if (taken > mostBytes) throw noUserRoom(mostBytes - (taken - bytes));
}

function noUserRoom(leftBytes: number): ValidationError {
  const left = Math.max(0, leftBytes);
  return new ValidationError(
    'file',
    `must fit into the ${left} bytes that are left for your own uploads together`,
  );
}
