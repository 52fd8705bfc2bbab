import { useMemo } from 'preact/hooks';
import { webPath, type Post } from '@hearth/protocol';
import { PlaceHeader } from '../../communities/frame/place-header.tsx';
import { useCommunities } from '../../communities/use-communities.ts';
import { useCommunityText } from '../../communities/use-community-text.ts';
import { ConnectionBanner } from '../../connection/connection-banner.tsx';
import { PostsIcon } from '../../ui/icons.tsx';
import { rightsIn, settingsOf } from '../rights.ts';
import { useOwner, usePosts } from '../use-posts.ts';
import { usePostText } from '../use-post-text.ts';
import { useKeptLook } from './kept-look.ts';
import { ListBar } from './list-bar.tsx';
import { PostListView, type CardContext } from './post-list-view.tsx';
import { useChoice } from './posts-place.tsx';

/** The posts of the reader's communities. */
export function FeedView() {
  const words = usePostText();
  const { frame } = useCommunityText();
  const posts = usePosts();
  const communities = useCommunities();
  const owner = useOwner();
  const look = useKeptLook();
  const [choice, setChoice] = useChoice('feed');
  const list = useMemo(() => posts.lists.of({ kind: 'feed' }, choice), [posts, choice]);
  const all = communities.own.value ?? [];
  const contextOf = (post: Post): CardContext | undefined => {
    const own = all.find(({ id }) => id === post.community_id);
    if (own === undefined) return undefined;
    const channel = own.channels.find(({ id }) => id === post.channel_id);
    const shown = { community: own, own, channels: own.channels };
    return {
      slug: own.slug,
      place: channel === undefined ? own.name : `${own.name} · ${channel.name}`,
      rights: rightsIn(shown, post.channel_id, owner),
      settings: settingsOf(channel),
      readUpTo: undefined,
    };
  };
  return (
    <div class="frame">
      <PlaceHeader
        back={{ path: webPath('home', {}), label: frame.home }}
        icon={<PostsIcon />}
        title={words.feed}
        text={words.feedText}
      />
      <main class="page" aria-label={words.feed}>
        <ConnectionBanner />
        <PostListView
          list={list}
          look={look.look}
          label={words.feedText}
          contextOf={contextOf}
          nothing={words.nothingToRead}
          bar={
            <div class="list-head">
              <ListBar choice={choice} settings={{}} look={look} onChoose={setChoice} />
            </div>
          }
        />
      </main>
    </div>
  );
}
