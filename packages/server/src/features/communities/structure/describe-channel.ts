import {
  permissionNames,
  PERMISSIONS,
  type Channel,
  type ChannelStub,
  type Overwrite,
  type WrittenOverwrite,
  type Id,
} from '@hearth/protocol';
import type { KnownChannel } from './known-community.ts';
import type { StoredChannel } from './channel-store.ts';

/** A channel as those who see it see it. */
export function describeChannel(
  channel: StoredChannel & Pick<KnownChannel, 'isRestricted' | 'cardChannelIds'>,
): Channel {
  const { card_channel_ids: _, ...settings } = channel.postSettings;
  return {
    ...describeStub(channel),
    community_id: channel.communityId,
    ...(channel.topic !== '' && { topic: channel.topic }),
    ...(channel.overwrites.length > 0 && { overwrites: channel.overwrites.map(describeOverwrite) }),
    ...(channel.slowModeSeconds > 0 && { slow_mode_seconds: channel.slowModeSeconds }),
    ...settings,
    // Others are not known to everyone who sees the channel.
    ...(channel.cardChannelIds.length > 0 && { card_channel_ids: [...channel.cardChannelIds] }),
    version: channel.version,
  };
}

/** A channel, as far as a list of channels shows it. */
export function describeStub({
  id,
  kind,
  name,
  categoryId,
  position,
  lastId,
  isRestricted,
}: Pick<StoredChannel, 'id' | 'kind' | 'name' | 'categoryId' | 'position' | 'lastId'> & {
  readonly isRestricted: boolean;
}): ChannelStub {
  return {
    id,
    kind,
    name,
    ...(categoryId !== '' && { category_id: categoryId }),
    position,
    ...(lastId !== '' && { last_id: lastId }),
    ...(isRestricted && { restricted: true as const }),
  };
}

/** An overwrite, as those who see its channel see it. */
export function describeOverwrite({ id, kind, allow, deny }: Overwrite): WrittenOverwrite {
  return {
    // Guarantee: only ids are stored.
    id: id as Id,
    kind,
    allow: [...permissionNames(PERMISSIONS, allow)],
    deny: [...permissionNames(PERMISSIONS, deny)],
  };
}
