import type { Id } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import { selectUserBytes } from './store.ts';

/** What the uploads of a user take, and may take, in bytes. */
export async function describeUserStorage(
  { database, settings }: Context,
  userId: Id,
): Promise<{ readonly used: number; readonly limit: number }> {
  const used = await selectUserBytes(database.reader, userId);
  return { used, limit: settings.files.userSizeBytes };
}
