import type { Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import {
  markChannelDeleted,
  moveChannels,
  type AccessContext,
  type ChannelPlace,
} from '../structure/structure.ts';
import { changesOfOverwrites, requireGrants } from '../roles/roles.ts';
import { channelAct } from './channel-act.ts';
import { inChannel } from './in-channel.ts';

/**
 * Deletes a channel, or a category, whose channels then have none. Throws NotFoundError if the caller may not know that it
 * exists, and ForbiddenError, also if a category allows or denies what the caller may not do there.
 */
export async function deleteChannel(
  ctx: AccessContext,
  actor: Account,
  { id }: { readonly id: Id },
): Promise<Record<never, never>> {
  const place = { actor, id, needs: 'MANAGE_CHANNELS' } as const;
  await inChannel(ctx, place, async (tx, access) => {
    const { community, channel: deleted } = access;
    if (deleted.kind === 'category') {
      // Its channels lose its overwrites.
      requireGrants(access, changesOfOverwrites(community, deleted, []));
    }
    const moved = community.channelById
      .values()
      .filter(({ categoryId }) => categoryId === id)
      .map((channel): ChannelPlace => ({ ...channel, categoryId: '' }));
    await moveChannels(tx.sql, [...moved]);
    await markChannelDeleted(tx.sql, id, ctx.clock.unixMs());
    // Its files.
    tx.changed('content', id);
    return () => channelAct('channel_delete', deleted);
  });
  return {};
}
