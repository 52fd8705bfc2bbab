import { NotFoundError } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { audit, beginEntry } from '../../communities/audit/audit.ts';
import {
  keepCommunity,
  requireIn,
  type AccessContext,
} from '../../communities/structure/structure.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import type { MessagePlace } from './list-messages.ts';
import { requireMessages } from './message-access.ts';
import { emitIn, requireMember, takeTurn, turningIn, waitingFor } from '../places/places.ts';
import { removingMessages } from './files.ts';
import { lockMessages, selectMessage } from './store.ts';

/**
 * Deletes a message: one's own, or any with the permission MANAGE_CONTENT, which is noted in the audit log. Throws
 * NotFoundError and ForbiddenError.
 */
export async function deleteChannelMessage(
  ctx: AccessContext,
  actor: Account,
  { channel_id: channelId, id }: MessagePlace,
): Promise<Record<never, never>> {
  await requireAdmission(ctx, actor, 'removing');
  const seen = await turningIn(ctx, actor, { channelId, requires: requireMessages });
  const known = await selectMessage(ctx.database.reader, channelId, id);
  if (known === undefined) throw new NotFoundError();
  const isOwn = known.userId === actor.user_id;
  const requires: typeof seen.requires = (access) => {
    if (isOwn) return;
    requireMember(access);
    requireIn(access, 'MANAGE_CONTENT', ctx.clock.unixMs());
  };
  requires(seen.access);
  const entry = await beginEntry(ctx, actor, seen.access.channel.communityId);
  await removingMessages(ctx, (remove) =>
    ctx.database.writeAlone(waitingFor(seen, !isOwn), async (tx) => {
      if (!isOwn) await keepCommunity(tx, entry.communityId);
      const turn = await takeTurn(tx, ctx, { ...seen, requires });
      const [message] = await lockMessages(tx.sql, channelId, [id]);
      if (message === undefined) throw new NotFoundError();
      await remove(tx, [message]);
      if (!isOwn) {
        const target = { kind: 'message', id } as const;
        await audit(tx, entry, { action: 'message_delete', target, channel: turn.access.channel });
      }
      await emitIn(tx, turn, { op: 'MESSAGE_DELETE', d: { channel_id: channelId, id } });
    }),
  );
  return {};
}
