import { sightOf } from '@hearth/protocol';
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
  if (place.community.id !== other.community.id)
    return sightOf(other.community, undefined).follows && !other.channel.isRestricted;
  if (other.community.is_deleted) return false;
  if (place.channel.id === other.channel.id || !other.channel.isRestricted) return true;
  return haveSameAudience(other.community, place.channel, other.channel);
}
