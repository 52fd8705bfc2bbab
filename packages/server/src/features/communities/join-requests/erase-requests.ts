import { lockEvenDeleted } from '../structure/structure.ts';
import type { EraseContent } from '../../accounts/erasure/erasure.ts';
import { dropRequest } from './drop-request.ts';
import { selectRequestsOf } from './store.ts';

/** Takes back the requests to join of a deleted account. */
export const eraseRequests: EraseContent = async ({ database }, { userId, signal }) => {
  for (const { community_id: communityId } of await selectRequestsOf(database.reader, userId)) {
    signal.throwIfAborted();
    await database.transaction(async (tx) => {
      await lockEvenDeleted(tx, communityId);
      await dropRequest(tx, { communityId, userId });
    });
  }
};
