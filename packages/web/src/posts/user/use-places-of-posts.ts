import { useEffect } from 'preact/hooks';
import type { Post } from '@hearth/protocol';
import { useCommunities } from '../../communities/use-communities.ts';
import type { CardContext } from '../list/post-list-view.tsx';
import { rightsIn, settingsOf } from '../rights.ts';
import { useOwner } from '../use-posts.ts';
import { OtherCommunities } from './other-communities.ts';

type Placed = Pick<Post, 'channel_id' | 'community_id'>;

/** Returns where posts are, which may be in any community. A post has no place until the instance has said it. */
export function usePlacesOfPosts(
  posts: readonly Placed[],
): (post: Placed) => CardContext | undefined {
  const communities = useCommunities();
  const owner = useOwner();
  const others = OtherCommunities.of(communities);
  const own = communities.own.value;
  const isReady = own !== undefined || owner === undefined;
  useEffect(() => {
    if (!isReady) return;
    for (const { community_id: id } of posts) {
      if (own?.some((each) => each.id === id) !== true) void others.ask(id);
    }
  });
  return (post) => {
    const joined = own?.find(({ id }) => id === post.community_id);
    const shown =
      joined === undefined
        ? others.at(post.community_id).value
        : { community: joined, own: joined, channels: joined.channels };
    if (shown === undefined) return undefined;
    const channel = shown.channels.find(({ id }) => id === post.channel_id);
    const { name, slug } = shown.community;
    return {
      slug,
      place: channel === undefined ? name : `${name} · ${channel.name}`,
      rights: rightsIn(shown, post.channel_id, owner),
      settings: settingsOf(channel),
      readUpTo: undefined,
    };
  };
}
