import { NotFoundError } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { requireIn } from '../../communities/structure/structure.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import type { MessagePlace } from './list-messages.ts';
import {
  beginRecord,
  emitIn,
  requireGuard,
  requireMessages,
  takeTurn,
  turningIn,
  waitingFor,
  type PlacesContext,
  type Requirement,
} from '../places/places.ts';
import { removingMessages } from './files.ts';
import { lockMessages, selectMessage } from './store.ts';

/**
 * Deletes a message: one's own, or any with the permission MANAGE_CONTENT, which is noted in the audit log. Throws
 * NotFoundError and ForbiddenError.
 */
export async function deleteChannelMessage(
  ctx: PlacesContext,
  actor: Account,
  { channel_id: channelId, id }: MessagePlace,
): Promise<Record<never, never>> {
  await requireAdmission(ctx, actor, 'removing');
  const seen = await turningIn(ctx, actor, { placeId: channelId, requires: requireMessages });
  const known = await selectMessage(ctx.database.reader, channelId, id);
  if (known === undefined) throw new NotFoundError();
  const isOwn = known.userId === actor.user_id;
  const requires: Requirement = (access) => {
    if (isOwn) return;
    requireGuard(access);
    requireIn(access, 'MANAGE_CONTENT', ctx.clock.unixMs());
  };
  requires(seen.access);
  const record = await beginRecord(ctx, actor, seen.access);
  await removingMessages(ctx, (remove) =>
    ctx.database.writeAlone(waitingFor(seen, !isOwn), async (tx) => {
      if (!isOwn) await record.hold(tx);
      const turn = await takeTurn(tx, ctx, { ...seen, requires });
      const [message] = await lockMessages(tx.sql, channelId, [id]);
      if (message === undefined) throw new NotFoundError();
      await remove(tx, [message]);
      if (!isOwn) {
        const target = { kind: 'message', id } as const;
        await record.note(tx, turn.access, { action: 'message_delete', target });
      }
      await emitIn(tx, turn, { op: 'MESSAGE_DELETE', d: { channel_id: channelId, id } });
    }),
  );
  return {};
}
