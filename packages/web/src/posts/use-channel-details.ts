import { useEffect } from 'preact/hooks';
import type { ShownChannel, ShownCommunity } from '../communities/shown-communities.ts';
import { useCommunities } from '../communities/use-communities.ts';
import { usePosts } from './use-posts.ts';

/** The channels of a community with what is special about those with posts, once the instance has said it. */
export function useChannelDetails({
  community,
  own,
  channels,
}: ShownCommunity): readonly ShownChannel[] {
  const posts = usePosts();
  const { requests } = useCommunities();
  const isOwn = own !== undefined;
  useEffect(() => {
    // Others see the channels with their details already.
    if (isOwn) void posts.details.ask(community.id, (id) => requests.channelsOf(id));
  }, [posts, requests, community.id, isOwn]);
  const asked = posts.details.of(community.id).value;
  return channels.map((channel) => {
    const details = channel.details ?? asked.get(channel.id);
    return details === undefined ? channel : { ...channel, details };
  });
}
