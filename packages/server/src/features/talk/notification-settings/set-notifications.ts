import {
  ForbiddenError,
  userStream,
  type Id,
  type NotificationChoice,
  type NotificationSetting,
} from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import {
  accessTo,
  requireStillMember,
  type AccessContext,
  type KnownCommunity,
} from '../../communities/structure/structure.ts';
import { asChannel, findOwnPlace, requireGuard, type PlacesContext } from '../places/places.ts';
import { describeSetting } from './describe-setting.ts';
import {
  deleteSetting,
  deleteSettings,
  upsertSetting,
  type SettingPlace,
  type StoredSetting,
} from './store.ts';

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
  const about = { userId: actor.user_id, communityId: community.stored.id, channelId: '' } as const;
  const still = (tx: Transaction) => requireStillMember(tx, member);
  return await set(ctx, { about, community, still }, choice);
}

/** Sets what somebody is notified of in a channel. Throws NotFoundError also for a category. */
export async function setChannelNotifications(
  ctx: PlacesContext,
  actor: Account,
  { channel_id: channelId, ...choice }: NotificationChoice & { readonly channel_id: Id },
): Promise<NotificationSetting> {
  const { access } = await findOwnPlace(ctx, actor, channelId);
  const { communityId } = access.place;
  const about = { userId: actor.user_id, communityId, channelId };
  const still = (tx: Transaction) =>
    access.of.still(tx, ctx, { actor, access, requires: requireGuard });
  return await set(ctx, { about, community: asChannel(access)?.community, still }, choice);
}

/** The place where somebody chooses. */
interface Choosing {
  readonly about: SettingPlace;
  readonly community: KnownCommunity | undefined;
  /** Throws unless they still belong there. */
  still(tx: Transaction): Promise<void>;
}

async function set(
  ctx: Pick<Context, 'database' | 'clock'>,
  choosing: Choosing,
  { level, muted_until: mutedUntil = 0 }: NotificationChoice,
): Promise<NotificationSetting> {
  const { about, community } = choosing;
  const nowMs = ctx.clock.unixMs();
  const setting: StoredSetting = {
    ...about,
    level: level ?? '',
    mutedUntilMs: mutedUntil > nowMs ? mutedUntil : 0,
  };
  const shown = describeSetting(setting, nowMs);
  const isNothing = setting.level === '' && setting.mutedUntilMs === 0;
  await ctx.database.transaction(async (tx) => {
    await choosing.still(tx);
    // Here, so that there are never many rows of channels that were deleted.
    if (community !== undefined)
      await deleteSettings(tx.sql, setting, [...community.channelById.keys()]);
    const hasChanged = isNothing
      ? await deleteSetting(tx.sql, setting)
      : await upsertSetting(tx.sql, setting);
    if (!hasChanged) return;
    const stream = userStream(about.userId);
    const event = { op: 'NOTIFICATION_SETTING_UPDATE', d: shown } as const;
    await tx.emit({ stream, event }, { subject: stream });
  });
  return shown;
}
