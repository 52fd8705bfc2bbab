import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Id, Post } from '@hearth/protocol';
import { ChannelIcon } from '../../communities/frame/channel-link.tsx';
import { JoinBar } from '../../communities/frame/join-bar.tsx';
import { PlaceHeader } from '../../communities/frame/place-header.tsx';
import type { ShownChannel, ShownCommunity } from '../../communities/shown-communities.ts';
import { communityPath } from '../../communities/paths.ts';
import { useCommunities } from '../../communities/use-communities.ts';
import { useCommunityText } from '../../communities/use-community-text.ts';
import { ConnectionBanner } from '../../connection/connection-banner.tsx';
import { PostsIcon } from '../../ui/icons.tsx';
import { PlusIcon } from '../../ui/action-icons.tsx';
import { NewPostDialog, type PostingChannel } from '../compose/new-post-dialog.tsx';
import { PendingPosts } from '../compose/pending-posts.tsx';
import { postingChannels } from '../compose/posting-channels.ts';
import type { ListChoice } from '../post-source.ts';
import { rightsIn, settingsOf } from '../rights.ts';
import { useChannelDetails } from '../use-channel-details.ts';
import { useOwner, usePosts } from '../use-posts.ts';
import { usePostText } from '../use-post-text.ts';
import { useKeptLook } from './kept-look.ts';
import { ListBar } from './list-bar.tsx';
import { PostListView, type CardContext } from './post-list-view.tsx';

interface PlaceProps {
  readonly shown: ShownCommunity;
  /** Undefined for the posts of all channels. */
  readonly channel: ShownChannel | undefined;
}

/** The posts of a channel, or of all channels of a community. */
export function PostsPlace({ shown, channel }: PlaceProps) {
  const words = usePostText();
  const { frame } = useCommunityText();
  const { community, own } = shown;
  useReading(shown, channel);
  const title = channel?.name ?? words.allPosts;
  return (
    <div class="frame">
      <PlaceHeader
        back={{ path: communityPath(community.slug), label: frame.toChannels(community.name) }}
        icon={channel === undefined ? <PostsIcon /> : <ChannelIcon kind={channel.kind} />}
        title={title}
        text={channel?.details?.topic ?? channel?.topic}
      />
      <main class="page" aria-label={title}>
        <ConnectionBanner />
        <List shown={shown} channel={channel} title={title} />
        {own === undefined && community.deleted_at === undefined && (
          <JoinBar community={community} />
        )}
      </main>
    </div>
  );
}

interface ListProps extends PlaceProps {
  readonly title: string;
}

function List({ shown, channel, title }: ListProps) {
  const words = usePostText();
  const posts = usePosts();
  const owner = useOwner();
  const { look } = useKeptLook();
  const of = placeOf(shown, channel);
  const [choice, setChoice] = useChoice(of.id);
  const list = useMemo(
    () => posts.lists.of({ kind: of.kind, id: of.id }, choice),
    [posts, of.kind, of.id, choice],
  );
  const contextOf = useContexts(shown, channel);
  const mayPost = rightsIn(shown, channel?.id, owner).post;
  return (
    <PostListView
      list={list}
      look={look}
      label={words.postsOf(title)}
      contextOf={contextOf}
      nothing={mayPost ? words.nothingText : words.nothingToRead}
      bar={<Head shown={shown} channel={channel} choice={choice} onChoose={setChoice} />}
    />
  );
}

function placeOf({ community }: ShownCommunity, channel: ShownChannel | undefined) {
  return channel === undefined
    ? ({ kind: 'community', id: community.id } as const)
    : ({ kind: 'channel', id: channel.id } as const);
}

/** Returns what is known of the channels of posts that are shown in a place. */
function useContexts(
  shown: ShownCommunity,
  channel: ShownChannel | undefined,
): (post: Pick<Post, 'channel_id'>) => CardContext | undefined {
  const owner = useOwner();
  const detailed = useChannelDetails(shown);
  const readUpTo = useReadUpTo(channel?.id);
  return (post) => {
    const of = detailed.find(({ id }) => id === post.channel_id);
    return {
      slug: shown.community.slug,
      place: channel === undefined ? of?.name : undefined,
      rights: rightsIn(shown, post.channel_id, owner),
      settings: settingsOf(of),
      readUpTo: channel === undefined ? undefined : readUpTo,
    };
  };
}

interface HeadProps extends PlaceProps {
  readonly choice: ListChoice;
  readonly onChoose: (choice: ListChoice) => void;
}

function Head({ shown, channel, choice, onChoose }: HeadProps) {
  const look = useKeptLook();
  const detailed = useChannelDetails(shown);
  const settings = settingsOf(detailed.find(({ id }) => id === channel?.id) ?? channel);
  const channels = postingChannels(shown, detailed, channel?.id);
  return (
    <>
      <div class="list-head">
        <ListBar choice={choice} settings={settings} look={look} onChoose={onChoose} />
        {channels.length > 0 && <NewPostButton channels={channels} />}
      </div>
      <PendingPosts channels={channels} />
    </>
  );
}

function NewPostButton({ channels }: { readonly channels: readonly PostingChannel[] }) {
  const words = usePostText();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class="button button-primary new-post"
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <PlusIcon />
        {words.newPost}
      </button>
      {isOpen && <NewPostDialog channels={channels} onClose={() => setIsOpen(false)} />}
    </>
  );
}

const CHOICES = new Map<string, ListChoice>();

/** The order that the reader has chosen for a place, while the page is open. */
export function useChoice(key: string): readonly [ListChoice, (choice: ListChoice) => void] {
  const [, setVersion] = useState(0);
  const choice = CHOICES.get(key) ?? HOT;
  return [
    choice,
    (chosen) => {
      CHOICES.set(key, chosen);
      setVersion((version) => version + 1);
    },
  ];
}

const HOT: ListChoice = { sort: 'hot' };

/** Up to where the reader had read the channel when they came. */
function useReadUpTo(channel: Id | undefined): Id | undefined {
  const { lastRead } = usePosts();
  return useMemo(
    () => (channel === undefined ? undefined : lastRead(channel)),
    [lastRead, channel],
  );
}

/** Marks a channel as read for a reader who looks at its posts. */
function useReading({ own }: ShownCommunity, channel: ShownChannel | undefined): void {
  const communities = useCommunities();
  const ours = own?.channels.find(({ id }) => id === channel?.id);
  const isUnread =
    own !== undefined && ours !== undefined && communities.marks.ofChannel(own, ours).isUnread;
  const latest = useRef(ours);
  latest.current = ours;
  useEffect(() => {
    const { current } = latest;
    if (current !== undefined && isUnread && !document.hidden) {
      void communities.marks.markChannelRead(current);
    }
  }, [communities, channel?.id, isUnread]);
}
