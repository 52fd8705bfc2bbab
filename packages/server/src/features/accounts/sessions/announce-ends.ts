import { userStream, type Id, type StreamEvent } from '@hearth/protocol';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';

/**
 * Reports that sessions of a user have ended: to the caches of tokens, to the user's clients, and to the gateways, which close
 * the sockets of these sessions. To be called by everything that ends sessions, in its transaction.
 */
export async function announceEnds(
  tx: EmittingTransaction,
  userId: Id,
  sessions: readonly Id[],
): Promise<void> {
  const stream = userStream(userId);
  for (const id of sessions) {
    const event: StreamEvent = { op: 'SESSION_END', d: { id } };
    tx.changed('sessions', id);
    await tx.emit({ stream, event }, { subject: stream });
  }
}
