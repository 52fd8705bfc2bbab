import {
  haveSameAudience,
  type KnownChannel,
  type KnownCommunity,
} from '../../communities/structure/structure.ts';

/** A channel of a community. */
export interface Place {
  readonly community: KnownCommunity;
  readonly channel: KnownChannel;
}

/** Whether everyone who sees one channel sees another one. */
export function everyoneSees(place: Place, other: Place): boolean {
  const { stored } = other.community;
  if (stored.deletedAtMs > 0) return false;
  if (place.community.stored.id !== stored.id) {
    return stored.visibility !== 'private' && !other.channel.isRestricted;
  }
  if (place.channel.id === other.channel.id || !other.channel.isRestricted) return true;
  return haveSameAudience(other.community, place.channel, other.channel);
}
