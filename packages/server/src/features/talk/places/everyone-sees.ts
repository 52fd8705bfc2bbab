import { isSeenWith, sightOf } from '@hearth/protocol';
import type { KnownChannel, KnownCommunity } from '../../communities/structure/structure.ts';

/** A channel of a community. */
export interface ChannelInCommunity {
  readonly community: KnownCommunity;
  readonly channel: KnownChannel;
}

/** Whether everyone who sees one place sees a channel. */
export function everyoneSees(
  { community, channel }: Partial<ChannelInCommunity>,
  other: ChannelInCommunity,
): boolean {
  if (channel === undefined || community?.id !== other.community.id) {
    return sightOf(other.community, undefined).follows && !other.channel.isRestricted;
  }
  if (other.community.is_deleted) return false;
  return channel.id === other.channel.id || isSeenWith(other.channel, channel);
}
