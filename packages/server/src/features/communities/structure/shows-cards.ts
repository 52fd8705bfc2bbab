import { isSeenWith, type Id } from '@hearth/protocol';
import type { KnownChannel, KnownCommunity } from './known-community.ts';

/**
 * Returns whether a channel may show the posts of another one as cards: it has messages, and exactly those see it who
 * see the other.
 */
export function showsCards(
  community: Pick<KnownCommunity, 'channelById'>,
  { channel, id }: { readonly channel: KnownChannel; readonly id: Id },
): boolean {
  const other = community.channelById.get(id);
  if (other?.kind !== 'messages' && other?.kind !== 'announcements') return false;
  return isSeenWith(channel, other) && isSeenWith(other, channel);
}
