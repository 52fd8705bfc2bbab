import { isSeenWith, sightOf } from '@hearth/protocol';
import type { KnownChannel, KnownCommunity } from '../../communities/structure/structure.ts';

/** A channel of a community. */
export interface ChannelInCommunity {
  readonly community: KnownCommunity;
  readonly channel: KnownChannel;
}

/** Whether everyone who sees one place sees a channel. */
export function everyoneSees(
  place: ChannelInCommunity | undefined,
  other: ChannelInCommunity,
): boolean {
  if (place?.community.id !== other.community.id) {
    return sightOf(other.community, undefined).follows && !other.channel.isRestricted;
  }
  const { channel } = place;
  if (other.community.is_deleted) return false;
  return channel.id === other.channel.id || isSeenWith(other.channel, channel);
}
