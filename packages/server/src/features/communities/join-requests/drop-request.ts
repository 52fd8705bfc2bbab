import { moderatorStream } from '@hearth/protocol';
import type { Emitted, EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import type { EraseContent } from '../../accounts/erasure/erasure.ts';
import { lockEvenDeleted, type MemberPair } from '../structure/structure.ts';
import { deleteRequests, selectRequestsOf } from './store.ts';

/** Removes a request to join a community that is locked, and sends that to its moderators; false if there is none. */
export async function dropRequest(tx: EmittingTransaction, key: MemberPair): Promise<boolean> {
  return (await dropRequests(tx, [key])) > 0;
}

/** Removes several requests, those of a community in the order of the list. Returns how many there were. */
export async function dropRequests(
  tx: EmittingTransaction,
  keys: readonly MemberPair[],
): Promise<number> {
  const dropped = new Set((await deleteRequests(tx, keys)).map(textOf));
  if (dropped.size === 0) return 0;
  await tx.emitAll(
    keys
      .filter((key) => dropped.has(textOf(key)))
      .map(({ communityId, userId }): Emitted => {
        const stream = moderatorStream(communityId);
        const d = { community_id: communityId, user_id: userId };
        return [{ stream, event: { op: 'JOIN_REQUEST_DELETE', d } }, { subject: stream }];
      }),
  );
  return dropped.size;
}

function textOf({ communityId, userId }: MemberPair): string {
  return `${communityId} ${userId}`;
}

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
