import { useId } from 'preact/hooks';
import { webPath, type ChannelStub } from '@hearth/protocol';
import { ownPath } from '../../lib/own-path.ts';
import { useAttachments } from '../../conversation/attachments/use-attachments.ts';
import { SearchButton } from '../../search/search-button.tsx';
import { PlusIcon } from '../../ui/action-icons.tsx';
import { ChevronIcon, PostsIcon } from '../../ui/icons.tsx';
import { channelTree, type ChannelGroup } from '../channel-tree.ts';
import type { ShownCommunity } from '../shown-communities.ts';
import { NO_MARKS } from '../marks.ts';
import { InboxButton } from '../inbox/inbox-button.tsx';
import { communityPath } from '../paths.ts';
import { useCommunities } from '../use-communities.ts';
import { useCommunityText } from '../use-community-text.ts';
import { AboutCommunity } from './about-community.tsx';
import { ChannelLink } from './channel-link.tsx';
import { JoinBar } from './join-bar.tsx';
import { PlaceMenu } from './place-menu.tsx';
import { RestoreBar } from './restore-bar.tsx';
import { usePlaceMenu, type PlaceMenuState } from './use-place-menu.ts';

interface ColumnProps {
  readonly shown: ShownCommunity;
  readonly channelId: string | undefined;
  /** True if the posts of all channels are shown. */
  readonly isPosts?: boolean;
}

interface AloneProps extends ColumnProps {
  /** True if a narrow page shows nothing else. */
  readonly isAlone: boolean;
}

/** The column of a community's channels. */
export function ChannelColumn({ isAlone, ...column }: AloneProps) {
  const { community, own } = column.shown;
  if (!isAlone) {
    return (
      <div class="channels">
        <ChannelList {...column} isAlone={false} />
      </div>
    );
  }
  return (
    <main class="channels" data-is-alone>
      <h1 class="visually-hidden">{community.name}</h1>
      {community.deleted_at !== undefined && <RestoreBar community={community} />}
      {own === undefined && <AboutCommunity community={community} />}
      <ChannelList {...column} isAlone />
      {own === undefined && community.deleted_at === undefined && <JoinBar community={community} />}
    </main>
  );
}

function ChannelList({ shown, channelId, isPosts = false, isAlone }: AloneProps) {
  const { frame: words } = useCommunityText();
  const menu = usePlaceMenu();
  const { community, own, channels } = shown;
  const groups = channelTree<ChannelStub>(channels);
  const mayAdd = own?.permissions.has('MANAGE_CHANNELS') ?? false;
  return (
    <nav aria-label={words.channels(community.name)}>
      <ColumnHead shown={shown} menu={menu} isAlone={isAlone} />
      <div class="channels-list">
        {channels.filter(({ kind }) => kind === 'posts').length > 1 && (
          <a
            class="channel-link"
            href={ownPath(webPath('communityPosts', { slug: community.slug }))}
            aria-current={isPosts ? 'page' : undefined}
          >
            <PostsIcon />
            <span class="channel-name">{words.allPosts}</span>
          </a>
        )}
        {groups.map((group) => (
          <Group key={group.category?.id ?? ''} group={group} {...{ shown, channelId, menu }} />
        ))}
        {groups.every((group) => group.channels.length === 0) && (
          <p class="hint channels-none">{words.noChannels}</p>
        )}
        {mayAdd && (
          <a
            class="channel-link channel-add"
            href={ownPath(
              webPath('communitySettingsPage', { slug: community.slug, page: 'channels' }),
            )}
          >
            <PlusIcon />
            <span class="channel-name">{words.addChannel}</span>
          </a>
        )}
      </div>
      <PlaceMenu menu={menu} />
    </nav>
  );
}

interface HeadProps {
  readonly shown: ShownCommunity;
  readonly menu: PlaceMenuState;
  readonly isAlone: boolean;
}

function ColumnHead({ shown: { community, own }, menu, isAlone }: HeadProps) {
  const { frame: words } = useCommunityText();
  const { media } = useAttachments();
  const { banner, name, slug } = community;
  return (
    <div class="channels-head" data-has-banner={banner !== undefined || undefined}>
      {banner !== undefined && (
        <img class="channels-banner" src={media.url(banner, media.sizeFor(320))} alt="" />
      )}
      <div class="channels-bar">
        {own === undefined ? (
          <a class="channels-title" href={ownPath(communityPath(slug))}>
            <span>{name}</span>
          </a>
        ) : (
          <button
            type="button"
            class="channels-title"
            aria-haspopup="menu"
            aria-expanded={menu.open?.channel === undefined && menu.open !== undefined}
            aria-label={words.menu(name)}
            onClick={({ currentTarget }) => menu.openBelow(currentTarget, { community: own })}
          >
            <span>{name}</span>
            <ChevronIcon />
          </button>
        )}
        {/* Beside what is shown, its own header has it. */}
        {isAlone && (
          <>
            <SearchButton />
            <InboxButton />
          </>
        )}
      </div>
    </div>
  );
}

interface GroupProps extends ColumnProps {
  readonly group: ChannelGroup;
  readonly menu: PlaceMenuState;
}

function Group({ group: { category, channels }, ...column }: GroupProps) {
  const { kept } = useCommunities();
  const id = useId();
  const isFolded = category !== undefined && kept.isFolded(category.id);
  const visible = useVisible(channels, isFolded, column);
  return (
    <>
      {category !== undefined && (
        <h3 class="channels-category">
          <button
            type="button"
            aria-expanded={!isFolded}
            aria-controls={id}
            onClick={() => kept.fold(category.id, !isFolded)}
          >
            <ChevronIcon />
            <span>{category.name}</span>
          </button>
        </h3>
      )}
      <ul id={id}>
        {visible.map((channel) => (
          <li key={channel.id}>
            <ChannelLink channel={channel} {...column} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** A folded category still shows where the reader is, and what is unread. */
function useVisible(
  channels: readonly ChannelStub[],
  isFolded: boolean,
  { shown: { own }, channelId }: Pick<GroupProps, 'shown' | 'channelId'>,
): readonly ChannelStub[] {
  const communities = useCommunities();
  if (!isFolded) return channels;
  return channels.filter((channel) => {
    if (channel.id === channelId) return true;
    const { isUnread, mentions } =
      own === undefined ? NO_MARKS : communities.marks.ofChannel(own, channel);
    return isUnread || mentions > 0;
  });
}
