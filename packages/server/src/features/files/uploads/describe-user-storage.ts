import type { OwnProfilePart } from '../../accounts/own-account/own-account.ts';
import { selectUserBytes } from './store.ts';

/** What the uploads of a user take, and may take, in bytes. */
export const describeUserStorage: OwnProfilePart = async ({ database, settings }, userId) => {
  const used = await selectUserBytes(database.reader, userId);
  return { storage: { used, limit: settings.files.userSizeBytes } };
};
