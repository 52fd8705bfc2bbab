import {
  ForbiddenError,
  userStream,
  type Id,
  type NotificationChoice,
  type NotificationSetting,
} from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { channelOfMember } from '../../communities/channels/channels.ts';
import {
  accessTo,
  requireStillMember,
  type AccessContext,
  type KnownCommunity,
  type StoredMember,
} from '../../communities/structure/structure.ts';
import { describeSetting } from './describe-setting.ts';
import { deleteSetting, deleteSettings, upsertSetting, type StoredSetting } from './store.ts';

/**
 * Sets of what a community notifies the caller. Throws NotFoundError if they may not know that it exists, and ForbiddenError if
 * they are not a member.
 */
export async function setCommunityNotifications(
  ctx: AccessContext,
  actor: Account,
  { community_id: id, ...choice }: NotificationChoice & { readonly community_id: Id },
): Promise<NotificationSetting> {
  const { community, member } = await accessTo(ctx, actor, id);
  if (member === undefined) throw new ForbiddenError({ code: 'not_member' });
  return await set(ctx, { member, community, channelId: '' }, choice);
}

/** The same for a channel. Throws NotFoundError also for a category. */
export async function setChannelNotifications(
  ctx: AccessContext,
  actor: Account,
  { channel_id: channelId, ...choice }: NotificationChoice & { readonly channel_id: Id },
): Promise<NotificationSetting> {
  const { community, member } = await channelOfMember(ctx, actor, channelId);
  return await set(ctx, { member, community, channelId }, choice);
}

interface Place {
  readonly member: StoredMember;
  readonly community: KnownCommunity;
  readonly channelId: Id | '';
}

async function set(
  ctx: Pick<Context, 'database' | 'clock'>,
  { member, community, channelId }: Place,
  { level, muted_until: mutedUntil = 0 }: NotificationChoice,
): Promise<NotificationSetting> {
  const nowMs = ctx.clock.unixMs();
  const { userId } = member;
  const setting: StoredSetting = {
    userId,
    communityId: community.stored.id,
    channelId,
    level: level ?? '',
    mutedUntilMs: mutedUntil > nowMs ? mutedUntil : 0,
  };
  const shown = describeSetting(setting, nowMs);
  const isNothing = setting.level === '' && setting.mutedUntilMs === 0;
  await ctx.database.transaction(async (tx) => {
    await requireStillMember(tx, member);
    // Here, so that there are never many rows of channels that were deleted.
    await deleteSettings(tx.sql, setting, [...community.channelById.keys()]);
    const hasChanged = isNothing
      ? await deleteSetting(tx.sql, setting)
      : await upsertSetting(tx.sql, setting);
    if (!hasChanged) return;
    const stream = userStream(userId);
    const event = { op: 'NOTIFICATION_SETTING_UPDATE', d: shown } as const;
    await tx.emit({ stream, event }, { subject: stream });
  });
  return shown;
}
