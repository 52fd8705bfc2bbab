import { webPath, type ChannelStub, type Id } from '@hearth/protocol';
import type { MyCommunity } from '@hearth/sdk';
import type { KeptPlaces } from './kept-places.ts';
import { channelsInOrder } from './channel-tree.ts';

/** The path of a community. */
export function communityPath(slug: string): string {
  return webPath('community', { slug });
}

/** The path of a channel. */
export function channelPath(slug: string, channel: Id): string {
  return webPath('channel', { slug, channel_id: channel });
}

/** Returns where somebody goes who has just joined a community: the channel of the invite, or its first one. */
export function joinedPath(
  slug: string,
  channels: readonly ChannelStub[],
  invitedTo: Id | undefined,
): string {
  const channel = invitedTo ?? channelsInOrder(channels)[0]?.id;
  return channel === undefined ? communityPath(slug) : channelPath(slug, channel);
}

/** Returns where a community opens on a wide page: the channel where the reader was last, or its first one. */
export function openingChannel(
  { id, channels }: Pick<MyCommunity, 'id' | 'channels'>,
  kept: Pick<KeptPlaces, 'lastChannel'>,
): Id | undefined {
  const inOrder = channelsInOrder(channels);
  const last = kept.lastChannel(id);
  return (inOrder.find((channel) => channel.id === last) ?? inOrder[0])?.id;
}
