import type { Channel, ChannelChange, Id } from '@hearth/protocol';
import { isDeepStrictEqual } from 'node:util';
import type { Account } from '../../../actor.ts';
import {
  channelIn,
  describeChannel,
  updateChannel,
  type AccessContext,
} from '../structure/structure.ts';
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
