import { moderatorStream } from '@hearth/protocol';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { deleteRequest, type RequestKey } from './store.ts';

/** Removes a request to join a community that is locked, and sends that to its moderators; false if there is none. */
export async function dropRequest(tx: EmittingTransaction, key: RequestKey): Promise<boolean> {
  if (!(await deleteRequest(tx.sql, key))) return false;
  const stream = moderatorStream(key.communityId);
  const d = { community_id: key.communityId, user_id: key.userId };
  await tx.emit({ stream, event: { op: 'JOIN_REQUEST_DELETE', d } }, { subject: stream });
  return true;
}
