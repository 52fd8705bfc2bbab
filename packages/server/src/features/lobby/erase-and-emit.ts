import { LOBBY_STREAM, type Id, type StreamEvent } from '@hearth/protocol';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { eraseMessage } from './store.ts';

/** Erases a message, and notifies the clients of it. Returns whether it was there. */
export async function eraseAndEmit(tx: EmittingTransaction, id: Id): Promise<boolean> {
  if (!(await eraseMessage(tx.sql, id))) return false;
  // A message is dispatched before it is written, so clients are sent it before they are sent its removal.
  const event: StreamEvent = { op: 'MESSAGE_DELETE', d: { id } };
  await tx.emit({ stream: LOBBY_STREAM, event }, { subject: LOBBY_STREAM });
  return true;
}
