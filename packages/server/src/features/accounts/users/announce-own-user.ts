import { userStream, type StreamEvent } from '@hearth/protocol';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { describeOwnUser } from './describe-user.ts';
import type { FactorSettings } from './staff-permissions.ts';
import type { UsersTable } from './tables.ts';

/**
 * Sends a user's own clients what has changed. To be called by everything that changes an account, in its transaction, with
 * the account as it is afterwards and its version raised.
 */
export async function announceOwnUser(
  tx: EmittingTransaction,
  ctx: { readonly settings: FactorSettings },
  user: UsersTable,
): Promise<void> {
  const stream = userStream(user.id);
  const event: StreamEvent = { op: 'USER_UPDATE', d: describeOwnUser(ctx, user) };
  await tx.emit({ stream, event }, { subject: stream });
}
