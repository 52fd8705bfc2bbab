import type { Channel, ChannelChange, Id } from '@hearth/protocol';
import { isDeepStrictEqual } from 'node:util';
import type { Account } from '../../../actor.ts';
import {
  channelIn,
  describeChannel,
  updateChannel,
  markChannelDeleted,
  moveChannels,
  type AccessContext,
  type ChannelPlace,
} from '../structure/structure.ts';
import { changesOfOverwrites, requireGrants } from '../roles/roles.ts';
import { channelAct } from './channel-act.ts';
import { requireFields } from './channel-fields.ts';
import { inChannel } from './in-channel.ts';
import { changedSettings, settingsChange } from './post-settings.ts';

/**
 * Changes a channel or category; nothing if that makes no difference. Throws NotFoundError if the caller may not know that it
 * exists, ForbiddenError, and ValidationError for what a category does not have.
 */
export async function changeChannel(
  ctx: AccessContext,
  actor: Account,
  { id, ...change }: ChannelChange & { readonly id: Id },
): Promise<Channel> {
  const settings = await settingsChange(ctx, change);
  const place = { actor, id, needs: 'MANAGE_CHANNELS' } as const;
  const after = await inChannel(ctx, place, async (tx, { channel, community }) => {
    requireFields(channel.kind, change);
    const fields = {
      name: change.name ?? channel.name,
      topic: change.topic === undefined ? channel.topic : (change.topic ?? ''),
      slowModeSeconds:
        change.slow_mode_seconds === undefined
          ? channel.slowModeSeconds
          : (change.slow_mode_seconds ?? 0),
      postSettings: changedSettings(community, channel, settings),
    };
    if (isDeepStrictEqual({ ...channel, ...fields }, channel)) return undefined;
    await updateChannel(tx.sql, id, fields);
    return (changed) => channelAct('channel_update', channel, channelIn(changed, id));
  });
  return describeChannel(channelIn(after, id));
}

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
