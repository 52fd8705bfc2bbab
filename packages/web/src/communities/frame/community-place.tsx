import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Id } from '@hearth/protocol';
import { useText } from '../../text/use-text.ts';
import { useNavigation } from '../../ui/use-navigation.ts';
import { useFailureText } from '../describe-failure.ts';
import type { ShownChannel, ShownCommunity } from '../shown-communities.ts';
import { channelPath, communityPath, openingChannel } from '../paths.ts';
import { lostParts } from '../../lib/load-part.ts';
import { LostNotice } from '../../ui/lost-notice.tsx';
import { useCommunityText } from '../use-community-text.ts';
import { PlaceHeader } from './place-header.tsx';
import { partOf, useViews } from '../../lib/views.ts';
import { useCommunities } from '../use-communities.ts';
import { ChannelView } from '../../channels/channel-view.tsx';
import { ChannelColumn } from './channel-column.tsx';
import { CommunityContent } from './community-content.tsx';
import { GoneChannel, GoneCommunity, useFarewell } from './gone.tsx';
import { useIsWide } from './use-is-wide.ts';
import { useShownChannel } from './use-shown-channel.ts';

interface PlaceProps {
  readonly slug: string;
  readonly channelId: Id | undefined;
  /** The message that is shown, instead of the newest. */
  readonly messageId: Id | undefined;
  /** The post that is shown. */
  readonly postId: Id | undefined;
  readonly commentId: Id | undefined;
  /** True if the posts of all channels are shown. */
  readonly isPosts: boolean;
  /** True if something lies over it, which has the address. */
  readonly isCovered: boolean;
  /** Shown if there is nothing at the address that the reader may see. */
  readonly nothing: ComponentChildren;
}

/** A community at its address: its channels, and what is shown of it. */
export function CommunityPlace({ slug, nothing, ...rest }: PlaceProps) {
  const communities = useCommunities();
  const isKnown = communities.own.value !== undefined;
  const isOwn = communities.ownBySlug(slug) !== undefined;
  useEffect(() => {
    if (isKnown && !isOwn) void communities.shown.visit(slug);
  }, [communities, slug, isKnown, isOwn]);
  const asked = communities.shown.at(slug);
  const farewell = useFarewell(slug);
  switch (asked.state) {
    case 'loading':
      return <Loading />;
    case 'failed':
      return <Failed error={asked.error} onRetry={() => void communities.shown.visit(slug)} />;
    case 'there':
      if (asked.value !== undefined) {
        return <Shown shown={asked.value} nothing={nothing} {...rest} />;
      }
      return farewell === undefined ? <>{nothing}</> : <GoneCommunity why={farewell} />;
  }
}

interface ShownProps extends Omit<PlaceProps, 'slug'> {
  readonly shown: ShownCommunity;
}

function Shown({ shown, channelId, messageId, isCovered, nothing, ...posts }: ShownProps) {
  const communities = useCommunities();
  const { channel, wasThere } = useShownChannel(shown, channelId);
  const { id, deleted_at: deletedAt } = shown.community;
  const isDeleted = deletedAt !== undefined;
  const hasPosts = posts.postId !== undefined || posts.isPosts;
  useOpening(shown, channelId === undefined && !hasPosts && !isCovered);
  useEffect(() => {
    if (channel !== undefined) communities.kept.rememberChannel(id, channel.id);
  }, [communities, id, channel]);
  if (isDeleted) return <Columns shown={shown} channel={undefined} messageId={undefined} />;
  if (hasPosts) {
    return (
      <>
        <ChannelColumn
          shown={shown}
          channelId={communities.openPost.value?.channel_id}
          isPosts={posts.isPosts}
          isAlone={false}
        />
        <PostsOnDemand shown={shown} channel={undefined} {...posts} />
      </>
    );
  }
  if (channelId !== undefined && channel === undefined) {
    if (!wasThere) return <>{nothing}</>;
    return (
      <>
        <ChannelColumn shown={shown} channelId={undefined} isAlone={false} />
        <GoneChannel community={shown.community} />
      </>
    );
  }
  return <Columns shown={shown} channel={channel} messageId={messageId} />;
}

interface ColumnsProps {
  readonly shown: ShownCommunity;
  readonly channel: ShownChannel | undefined;
  readonly messageId: Id | undefined;
}

function Columns({ shown, channel, messageId }: ColumnsProps) {
  const isAlone = !useIsWide() && channel === undefined;
  const isTalk = channel !== undefined && channel.kind !== 'posts';
  return (
    <>
      <ChannelColumn shown={shown} channelId={channel?.id} isAlone={isAlone} />
      {isTalk && <ChannelView {...{ shown, channel, messageId }} />}
      {channel?.kind === 'posts' && <PostsOnDemand shown={shown} channel={channel} />}
      {channel === undefined && !isAlone && <CommunityContent shown={shown} />}
    </>
  );
}

interface PostsProps {
  readonly shown: ShownCommunity;
  readonly channel: ShownChannel | undefined;
  readonly postId?: Id | undefined;
  readonly commentId?: Id | undefined;
}

/** A list of posts, or a post. */
function PostsOnDemand({ shown, channel, postId, commentId }: PostsProps) {
  const views = useViews('posts');
  if (views === undefined) return <Missing shown={shown} channel={channel} />;
  if (postId === undefined) return <views.PostsPlace shown={shown} channel={channel} />;
  return <views.PostPage key={postId} {...{ shown, postId, commentId }} />;
}

/** In place of posts that cannot be shown yet. A narrow page leads back to the channels from here, too. */
function Missing({ shown: { community }, channel }: Pick<PostsProps, 'shown' | 'channel'>) {
  const { frame: words } = useCommunityText();
  const { asked } = useText().shell;
  const isLost = lostParts.value.has(partOf('posts'));
  return (
    <div class="frame">
      <PlaceHeader
        back={{ path: communityPath(community.slug), label: words.toChannels(community.name) }}
        title={channel?.name ?? community.name}
      />
      <main class="page page-empty">
        {!isLost && (
          <p class="hint late" role="status">
            {asked.loading}
          </p>
        )}
        <LostNotice views="posts" />
      </main>
    </div>
  );
}

/** A wide page shows a channel beside the list of channels, so the address of a community leads to one. */
function useOpening({ community, own }: ShownCommunity, isNeeded: boolean): void {
  const communities = useCommunities();
  const navigation = useNavigation();
  const isWide = useIsWide();
  const opening = own === undefined ? undefined : openingChannel(own, communities.kept);
  const isOpened = isNeeded && isWide && opening !== undefined;
  useEffect(() => {
    if (!isOpened) return;
    navigation.goTo(navigation.urlOf(channelPath(community.slug, opening)), { isReplacing: true });
  }, [navigation, community.slug, isOpened, opening]);
}

function Loading() {
  const { asked: words } = useText().shell;
  return (
    <main class="page page-empty">
      <p class="hint late" role="status">
        {words.loading}
      </p>
    </main>
  );
}

function Failed({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const { asked: words } = useText().shell;
  const describe = useFailureText();
  return (
    <main class="page page-empty">
      <p class="problem" role="alert">
        {words.failed} {describe(error)}
      </p>
      <button type="button" class="button" onClick={onRetry}>
        {words.again}
      </button>
    </main>
  );
}
