import type { ChannelKind, ChannelStub } from '@hearth/protocol';
import { ownPath } from '../../lib/own-path.ts';
import { PostsIcon } from '../../ui/icons.tsx';
import { AnnouncementIcon, HashIcon, LockIcon } from '../../ui/place-icons.tsx';
import type { ShownCommunity } from '../shown-communities.ts';
import { NO_MARKS } from '../marks.ts';
import { channelPath } from '../paths.ts';
import { useCommunities } from '../use-communities.ts';
import { useCommunityText } from '../use-community-text.ts';
import { Mark } from './mark.tsx';
import type { PlaceMenuState } from './use-place-menu.ts';

interface LinkProps {
  readonly shown: ShownCommunity;
  readonly channel: ChannelStub;
  readonly channelId: string | undefined;
  readonly menu: PlaceMenuState;
}

/** A channel in the column, with what is new in it. */
export function ChannelLink({ shown: { community, own }, channel, channelId, menu }: LinkProps) {
  const communities = useCommunities();
  const { frame: words } = useCommunityText();
  const ours = own?.channels.find(({ id }) => id === channel.id);
  const isKnown = own !== undefined && ours !== undefined;
  const marks = isKnown ? communities.marks.ofChannel(own, ours) : NO_MARKS;
  const isMuted = isKnown && communities.choices.isMuted(own, ours);
  return (
    <a
      class="channel-link"
      href={ownPath(channelPath(community.slug, channel.id))}
      aria-current={channel.id === channelId ? 'page' : undefined}
      data-is-unread={marks.isUnread || undefined}
      data-is-muted={isMuted || undefined}
      draggable={false}
      {...(isKnown && menu.events({ community: own, channel: ours }))}
    >
      <ChannelIcon kind={channel.kind} />
      <span class="channel-name">
        <bdi>{channel.name}</bdi>
      </span>
      {channel.restricted === true && (
        <span class="channel-lock" title={words.restricted}>
          <LockIcon />
          <span class="visually-hidden">{`, ${words.restricted}`}</span>
        </span>
      )}
      <Mark marks={marks} isMuted={isMuted} />
    </a>
  );
}

/** Shows what a channel is for. */
export function ChannelIcon({ kind }: { readonly kind: ChannelKind }) {
  switch (kind) {
    case 'announcements':
      return <AnnouncementIcon />;
    case 'posts':
      return <PostsIcon />;
    case 'category':
    case 'messages':
      return <HashIcon />;
  }
}
