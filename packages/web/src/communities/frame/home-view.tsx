import { nameOfAccount } from '../../conversation/author.ts';
import { webPath } from '@hearth/protocol';
import type { MyCommunity } from '@hearth/sdk';
import { useAccounts } from '../../account/use-accounts.ts';
import { useInstance } from '../../instance/use-instance.ts';
import { ownPath } from '../../lib/own-path.ts';
import { useText } from '../../text/use-text.ts';
import { HearthDrawing } from '../../ui/hearth-drawing.tsx';
import { PlusIcon } from '../../ui/action-icons.tsx';
import { PostsIcon } from '../../ui/icons.tsx';
import { CompassIcon, LobbyIcon } from '../../ui/place-icons.tsx';
import { ConnectionBanner } from '../../connection/connection-banner.tsx';
import { channelsInOrder } from '../channel-tree.ts';
import { communityPath } from '../paths.ts';
import { useCommunities } from '../use-communities.ts';
import { useCommunityText } from '../use-community-text.ts';
import { Mark } from './mark.tsx';
import { PlaceHeader } from './place-header.tsx';
import { PlaceIcon } from './place-icon.tsx';
import { PlaceMenu } from './place-menu.tsx';
import { usePlaceMenu, type PlaceMenuState } from './use-place-menu.ts';

/** The number of channels with something new that are named. */
const MOST_NAMED = 3;

/** The start page of somebody with an account: their communities, those with something new first. */
export function HomeView({ unreadInLobby }: { readonly unreadInLobby: number }) {
  const { info } = useInstance();
  const account = useAccounts().current.value;
  const { home: words, frame } = useCommunityText();
  const { asked } = useText().shell;
  const communities = useCommunities();
  const menu = usePlaceMenu();
  const own = communities.own.value;
  const isNew = (community: MyCommunity) => {
    const { isUnread, mentions } = communities.marks.of(community);
    return isUnread || mentions > 0;
  };
  const unread = own?.filter(isNew) ?? [];
  const others = own?.filter((community) => !isNew(community)) ?? [];
  return (
    <div class="frame">
      <PlaceHeader title={info.instance_name} />
      <main class="page" aria-label={frame.home}>
        <ConnectionBanner />
        <div class="page-body">
          <h2 class="page-title">
            {words.title(account === undefined ? '' : nameOfAccount(account))}
          </h2>
          <div class="home-cards">
            <LobbyCard unread={unreadInLobby} />
            {own?.some(hasPosts) === true && <FeedCard />}
          </div>
          {own === undefined && (
            <p class="hint" role="status">
              {asked.loading}
            </p>
          )}
          {own?.length === 0 && <NoCommunities />}
          <Cards title={words.unreadIn} communities={unread} menu={menu} />
          <Cards
            title={unread.length > 0 ? words.others : words.yours}
            communities={others}
            menu={menu}
          />
          {own !== undefined && own.length > 0 && <Doors />}
        </div>
        <PlaceMenu menu={menu} />
      </main>
    </div>
  );
}

function LobbyCard({ unread }: { readonly unread: number }) {
  const { frame, home: words } = useCommunityText();
  return (
    <a class="home-card" href={ownPath(webPath('lobby', {}))}>
      <span class="place-icon place-icon-lobby" data-size="48">
        <LobbyIcon />
      </span>
      <span class="home-card-text">
        <strong>{frame.lobby}</strong>
        <span class="hint">{words.lobbyText}</span>
      </span>
      <span class="home-card-mark" data-is-unread={unread > 0 || undefined}>
        <Mark marks={{ isUnread: unread > 0, mentions: 0 }} />
      </span>
    </a>
  );
}

function hasPosts({ channels }: MyCommunity): boolean {
  return channels.some(({ kind }) => kind === 'posts');
}

function FeedCard() {
  const { frame } = useCommunityText();
  return (
    <a class="home-card" href={ownPath(webPath('feed', {}))}>
      <span class="place-icon place-icon-lobby" data-size="48">
        <PostsIcon />
      </span>
      <span class="home-card-text">
        <strong>{frame.feed}</strong>
        <span class="hint">{frame.feedText}</span>
      </span>
    </a>
  );
}

interface CardsProps {
  readonly title: string;
  readonly communities: readonly MyCommunity[];
  readonly menu: PlaceMenuState;
}

function Cards({ title, communities, menu }: CardsProps) {
  if (communities.length === 0) return null;
  return (
    <section class="home-section" aria-label={title}>
      <h3>{title}</h3>
      <ul class="home-cards">
        {communities.map((community) => (
          <li key={community.id}>
            <Card community={community} menu={menu} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Card({ community, menu }: Pick<CardsProps, 'menu'> & { community: MyCommunity }) {
  const communities = useCommunities();
  const { home: words, frame } = useCommunityText();
  const marks = communities.marks.of(community);
  const { name, icon, slug, channels, visibility } = community;
  const withNews = channelsInOrder(channels).filter((channel) => {
    const { isUnread, mentions } = communities.marks.ofChannel(community, channel);
    return isUnread || mentions > 0;
  });
  const names = withNews.slice(0, MOST_NAMED).map((channel) => `#${channel.name}`);
  const more = withNews.length > MOST_NAMED ? ' …' : '';
  return (
    <a
      class="home-card"
      href={ownPath(communityPath(slug))}
      data-is-unread={marks.isUnread || undefined}
      {...menu.events({ community })}
    >
      <PlaceIcon name={name} picture={icon} size={48} />
      <span class="home-card-text">
        <strong>{name}</strong>
        <span class="hint">
          {names.length > 0 ? words.newIn(names.join(', ') + more) : frame.visibilities[visibility]}
        </span>
      </span>
      <span class="home-card-mark" data-is-unread={marks.isUnread || undefined}>
        <Mark marks={marks} isMuted={communities.choices.isMuted(community)} />
      </span>
    </a>
  );
}

function NoCommunities() {
  const { home: words } = useCommunityText();
  return (
    <div class="home-none">
      <HearthDrawing isLit />
      <h3>{words.none}</h3>
      <p>{words.noneText}</p>
      <Doors />
    </div>
  );
}

function Doors() {
  const { frame } = useCommunityText();
  return (
    <div class="home-doors">
      <a class="button button-primary" href={ownPath(webPath('newCommunity', {}))}>
        <PlusIcon />
        {frame.create}
      </a>
      <a class="button" href={ownPath(webPath('communities', {}))}>
        <CompassIcon />
        {frame.find}
      </a>
    </div>
  );
}
