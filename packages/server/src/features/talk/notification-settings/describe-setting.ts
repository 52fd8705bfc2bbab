import type { NotificationSetting } from '@hearth/protocol';
import type { StoredSetting } from './store.ts';

/** Describes what somebody has chosen. A time that is over is left out. */
export function describeSetting(
  { communityId, channelId, level, mutedUntilMs }: StoredSetting,
  nowMs: number,
): NotificationSetting {
  return {
    ...(channelId !== '' && { channel_id: channelId }),
    ...(channelId === '' && communityId !== '' && { community_id: communityId }),
    ...(level !== '' && { level }),
    ...(mutedUntilMs > nowMs && { muted_until: mutedUntilMs }),
  };
}
