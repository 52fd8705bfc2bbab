import type { Id, LobbyMessage } from '@hearth/protocol';
import type { Actor } from '../../../../actor.ts';
import { requireAdmission } from '../../../accounts/moderation/moderation.ts';
import { requireStaffNow } from '../../../accounts/users/users.ts';
import { lobbyOf, may } from '../../places/places.ts';
import { completeMessages } from '../complete-messages.ts';
import { emitChange } from '../emit-change.ts';
import type { LobbyReading } from '../lobby-reading.ts';
import { requireUser } from '../require-user.ts';
import { KEPT } from '../../../../ports/database/database.ts';
import { changeKept } from './change-kept.ts';
import { eraseLocked } from './store.ts';

/**
 * Deletes a message: one's own, or any with the permission HANDLE_REPORTS. Resolves with the message that was deleted.
 * Throws UnauthorizedError, ForbiddenError and NotFoundError.
 */
export async function deleteMessage(
  ctx: LobbyReading,
  actor: Actor,
  { id }: { readonly id: Id },
): Promise<LobbyMessage> {
  const user = requireUser(ctx, actor);
  await requireAdmission(ctx, user, 'removing');
  const mayDeleteAny = may(lobbyOf(user), 'MANAGE_CONTENT');
  const deleted = await changeKept(ctx, { id, ...(mayDeleteAny && KEPT) }, async (tx, locked) => {
    const { message } = locked;
    if (message.user?.id !== user.user_id) {
      await requireStaffNow(tx, ctx, { actor: user, permission: 'HANDLE_REPORTS' });
    }
    await eraseLocked(tx.sql, locked);
    await emitChange(tx, { op: 'MESSAGE_DELETE', d: { id } });
    return message;
  });
  const [complete = deleted] = await completeMessages(ctx, actor, [deleted]);
  return complete;
}
