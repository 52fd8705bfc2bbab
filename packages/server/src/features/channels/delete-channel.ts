import type { Id } from '@hearth/protocol';
import type { User } from '../../actor.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { channelAct } from './channel-act.ts';
import { inChannel } from './in-channel.ts';
import { markDeleted, moveChannel } from './store.ts';

/**
 * Deletes a channel, or a category, whose channels then have none. Throws NotFoundError if the caller may not know that it
 * exists, and ForbiddenError.
 */
export async function deleteChannel(
  ctx: CommunityContext,
  actor: User,
  { id }: { readonly id: Id },
): Promise<Record<never, never>> {
  const place = { actor, id, needs: 'MANAGE_CHANNELS' } as const;
  await inChannel(ctx, place, async (tx, { community, channel: deleted }) => {
    for (const channel of community.channelById.values()) {
      if (channel.categoryId !== id) continue;
      await moveChannel(tx.sql, channel.id, { position: channel.position, categoryId: '' });
    }
    await markDeleted(tx.sql, id, ctx.clock.unixMs());
    return () => channelAct('channel_delete', deleted);
  });
  return {};
}
