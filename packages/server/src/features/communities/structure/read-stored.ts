import type { Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';
import { selectCommunity, type StoredCommunity } from './community-store.ts';

/** A community with an up-to-date number of members, undefined if it is not there, or was deleted. */
export async function readStored(db: Reader, id: Id): Promise<StoredCommunity | undefined> {
  const community = await selectCommunity(db, id);
  return community?.deletedAtMs === 0 ? community : undefined;
}
