import { LOBBY_STREAM, type Id, type StreamEvent } from '@hearth/protocol';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { eraseMessage } from './changes/store.ts';

/** Erases a message, and notifies the clients of it. Returns whether it was there. */
export async function eraseAndEmit(tx: EmittingTransaction, id: Id): Promise<boolean> {
  if (!(await eraseMessage(tx.sql, id))) return false;
  await emitChange(tx, { op: 'MESSAGE_DELETE', d: { id } });
  return true;
}

/**
 * Notifies the clients of a change of a message. A message is dispatched before it is written, so clients are sent it
 * before they are sent its changes.
 */
export async function emitChange(tx: EmittingTransaction, event: StreamEvent): Promise<void> {
  await emitChanges(tx, [event]);
}

/** Notifies the clients of several changes, in their order. */
export async function emitChanges(
  tx: EmittingTransaction,
  events: readonly StreamEvent[],
): Promise<void> {
  await tx.emitAll(
    events.map((event) => [{ stream: LOBBY_STREAM, event }, { subject: LOBBY_STREAM }]),
  );
}
