import { useEffect, useRef } from 'preact/hooks';
import type { Id, Post } from '@hearth/protocol';
import { PlaceHeader } from '../../communities/frame/place-header.tsx';
import { JoinBar } from '../../communities/frame/join-bar.tsx';
import type { ShownCommunity } from '../../communities/shown-communities.ts';
import { useFailureText } from '../../communities/describe-failure.ts';
import { channelPath, communityPath } from '../../communities/paths.ts';
import { useCommunities } from '../../communities/use-communities.ts';
import { ConnectionBanner } from '../../connection/connection-banner.tsx';
import { ownPath } from '../../lib/own-path.ts';
import { useNavigation } from '../../ui/use-navigation.ts';
import { PostsIcon } from '../../ui/icons.tsx';
import { Comments } from '../comments/comments-view.tsx';
import type { Thread } from '../comments/thread.ts';
import { rightsIn, settingsOf } from '../rights.ts';
import { useChannelDetails } from '../use-channel-details.ts';
import { useOwner, usePosts } from '../use-posts.ts';
import { usePostText } from '../use-post-text.ts';
import { PostHead } from './post-head.tsx';

interface PageProps {
  readonly shown: ShownCommunity;
  readonly postId: Id;
  /** The comment that the address names. */
  readonly commentId: Id | undefined;
}

/** A post with its comments, at its address. */
export function PostPage({ shown, postId, commentId }: PageProps) {
  const posts = usePosts();
  const communities = useCommunities();
  const thread = posts.threads.of(postId);
  useEffect(() => posts.threads.open(postId, commentId), [posts, postId, commentId]);
  const post = thread.post.value;
  const title = post?.title;
  const channelId = post?.channel_id;
  useEffect(() => {
    if (title === undefined || channelId === undefined) return undefined;
    communities.openPost.value = { title, channel_id: channelId };
    return () => {
      communities.openPost.value = undefined;
    };
  }, [communities, title, channelId]);
  const { community } = shown;
  useOwnAddress(post, shown);
  const words = usePostText();
  const channel = shown.channels.find(({ id }) => id === post?.channel_id);
  const back =
    channel === undefined ? communityPath(community.slug) : channelPath(community.slug, channel.id);
  return (
    <div class="frame">
      <PlaceHeader
        back={{ path: back, label: words.toList }}
        icon={<PostsIcon />}
        title={channel?.name ?? community.name}
      />
      <main class="page post-page" aria-label={title ?? words.loading}>
        <ConnectionBanner />
        <Opened {...{ shown, thread, post, back, commentId }} />
        {shown.own === undefined && community.deleted_at === undefined && (
          <JoinBar community={community} />
        )}
      </main>
    </div>
  );
}

/** A post is shown in its own community, whichever the address names. */
function useOwnAddress(post: Post | undefined, { community }: ShownCommunity): void {
  const posts = usePosts();
  const navigation = useNavigation();
  const id = post?.community_id === community.id ? undefined : post?.id;
  useEffect(() => {
    if (id === undefined) return;
    void posts.pathOf(id).then((path) => {
      if (path !== undefined) navigation.goTo(navigation.urlOf(path), { isReplacing: true });
    });
  }, [posts, navigation, id]);
}

interface OpenedProps {
  readonly shown: ShownCommunity;
  readonly thread: Thread;
  readonly post: Post | undefined;
  readonly back: string;
  readonly commentId: Id | undefined;
}

function Opened({ shown, thread, post, back, commentId }: OpenedProps) {
  const words = usePostText();
  const describe = useFailureText();
  const owner = useOwner();
  const detailed = useChannelDetails(shown);
  const page = useRef<HTMLDivElement>(null);
  const opening = thread.opening.value;
  if (opening.state === 'missing' || (post === undefined && opening.state === 'idle')) {
    return <Gone back={back} />;
  }
  if (post === undefined) {
    if (opening.state !== 'failed') {
      return (
        <div class="post-body">
          <p class="visually-hidden" role="status">
            {words.loading}
          </p>
          <div class="post-skeleton skeleton" data-look="cards" />
        </div>
      );
    }
    return (
      <div class="page-empty">
        <p class="problem" role="alert">
          {words.failed} {describe(opening.error)}
        </p>
        <button type="button" class="button" onClick={() => void thread.open(thread.linked.peek())}>
          {words.again}
        </button>
      </div>
    );
  }
  const channel = detailed.find(({ id }) => id === post.channel_id);
  const rights = rightsIn(shown, post.channel_id, owner);
  const context = {
    slug: shown.community.slug,
    rights,
    settings: settingsOf(channel),
    thread,
    post,
    owner,
  };
  return (
    <div class="post-body" ref={page}>
      <PostHead {...context} back={back} />
      <Comments {...context} page={page} commentId={commentId} />
    </div>
  );
}

function Gone({ back }: Pick<OpenedProps, 'back'>) {
  const words = usePostText();
  return (
    <div class="page-empty">
      <h2>{words.gone}</h2>
      <p class="hint">{words.goneText}</p>
      <a class="button" href={ownPath(back)}>
        {words.toList}
      </a>
    </div>
  );
}
