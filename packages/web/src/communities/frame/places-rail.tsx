import { webPath } from '@hearth/protocol';
import type { MyCommunity } from '@hearth/sdk';
import type { ComponentChildren } from 'preact';
import { ownPath } from '../../lib/own-path.ts';
import { PlusIcon, SearchIcon } from '../../ui/action-icons.tsx';
import { CompassIcon, HomeIcon, LobbyIcon } from '../../ui/place-icons.tsx';
import { communityPath } from '../paths.ts';
import { NO_MARKS, type Marks } from '../marks.ts';
import { useCommunities } from '../use-communities.ts';
import { useCommunityText } from '../use-community-text.ts';
import { Mark } from './mark.tsx';
import { PlaceIcon } from './place-icon.tsx';
import { PlaceMenu } from './place-menu.tsx';
import { usePlaceMenu } from './use-place-menu.ts';

/** The place of the reader, as far as the columns show it. */
export type FramePlace =
  | { readonly kind: 'home' | 'lobby' | 'find' }
  | { readonly kind: 'community'; readonly slug: string; readonly channelId?: string | undefined };

interface RailProps {
  readonly place: FramePlace;
  readonly isMember: boolean;
  /** The number of unread messages of the lobby. */
  readonly unreadInLobby: number;
  readonly onSwitch: () => void;
}

/** The column of all places: the reader's communities, and what is not in one. */
export function PlacesRail({ place, isMember, unreadInLobby, onSwitch }: RailProps) {
  const { frame: words } = useCommunityText();
  const at = (kind: FramePlace['kind']) => place.kind === kind;
  return (
    <nav class="places" aria-label={words.places}>
      <ul>
        {isMember && (
          <RailLink path={webPath('home', {})} label={words.home} isCurrent={at('home')}>
            <HomeIcon />
          </RailLink>
        )}
        <RailLink
          path={webPath('lobby', {})}
          label={words.lobby}
          isCurrent={at('lobby')}
          marks={{ isUnread: unreadInLobby > 0, mentions: 0 }}
        >
          <LobbyIcon />
        </RailLink>
      </ul>
      <OwnPlaces slug={place.kind === 'community' ? place.slug : undefined} />
      <ul>
        {isMember && (
          <RailLink path={webPath('newCommunity', {})} label={words.create} isCurrent={false}>
            <PlusIcon />
          </RailLink>
        )}
        <RailLink path={webPath('communities', {})} label={words.find} isCurrent={at('find')}>
          <CompassIcon />
        </RailLink>
        <li>
          <button
            type="button"
            class="place"
            aria-label={words.go}
            aria-haspopup="dialog"
            aria-keyshortcuts="Control+K"
            title={`${words.go} (Ctrl+K)`}
            onClick={onSwitch}
          >
            <span class="place-mark">
              <SearchIcon />
            </span>
          </button>
        </li>
      </ul>
    </nav>
  );
}

function OwnPlaces({ slug }: { readonly slug: string | undefined }) {
  const communities = useCommunities();
  const menu = usePlaceMenu();
  const own = communities.own.value ?? [];
  if (own.length === 0) return null;
  return (
    <>
      <ul class="places-own">
        {own.map((community) => (
          <RailLink
            key={community.id}
            path={communityPath(community.slug)}
            label={community.name}
            isCurrent={community.slug === slug?.toLowerCase()}
            marks={communities.marks.of(community)}
            events={menu.events({ community })}
          >
            <CommunityIcon community={community} />
          </RailLink>
        ))}
      </ul>
      <PlaceMenu menu={menu} />
    </>
  );
}

function CommunityIcon({ community }: { readonly community: MyCommunity }) {
  return <PlaceIcon name={community.name} picture={community.icon} size={48} />;
}

interface LinkProps {
  readonly path: string;
  readonly label: string;
  readonly isCurrent: boolean;
  readonly marks?: Marks;
  readonly events?: ReturnType<ReturnType<typeof usePlaceMenu>['events']>;
  readonly children: ComponentChildren;
}

function RailLink({ path, label, isCurrent, marks = NO_MARKS, events, children }: LinkProps) {
  return (
    <li>
      <a
        class="place"
        href={ownPath(path)}
        title={label}
        aria-current={isCurrent ? 'page' : undefined}
        data-is-unread={marks.isUnread || undefined}
        draggable={false}
        {...events}
      >
        <span class="place-mark">{children}</span>
        <span class="visually-hidden">{label}</span>
        <Mark marks={marks} />
      </a>
    </li>
  );
}
