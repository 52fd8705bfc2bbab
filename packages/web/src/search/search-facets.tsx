import { foldText, type FoundAnywhere, type Id, type UserSummary } from '@hearth/protocol';
import type { ComponentChildren } from 'preact';
import { Avatar } from '../account/avatar.tsx';
import { ChannelIcon } from '../communities/frame/channel-link.tsx';
import { useCommunityText } from '../communities/use-community-text.ts';
import { nameOfPerson, shownName } from '../conversation/author.ts';
import { useInstance } from '../instance/use-instance.ts';
import { useFormats } from '../text/use-text.ts';
import { CloseIcon, PeopleIcon } from '../ui/icons.tsx';
import { LobbyIcon } from '../ui/place-icons.tsx';
import type { KnownChannel } from './hit.ts';
import { kindsIn, type SearchFields } from './search-fields.ts';
import type { Search } from './search.ts';
import type { SearchedFrom } from './searched-from.ts';
import { useSearchText } from './use-search-text.ts';

/** The most places, and the most authors, that are shown. */
const MOST_SHOWN = 6;

const LOBBY = { kind: 'messages' } as const;

interface FacetsProps {
  readonly search: Search;
  readonly from: SearchedFrom;
  readonly channelAt: (id: Id) => KnownChannel | undefined;
}

/** Kinds, places and authors to which the list can be narrowed, with the number of results of each. */
export function SearchFacets(props: FacetsProps) {
  return (
    <>
      <Places {...props} />
      <Kinds {...props} />
      <Authors search={props.search} />
    </>
  );
}

function Kinds({ search, from, channelAt }: FacetsProps) {
  const words = useSearchText();
  const { hasCommunities } = useInstance();
  const { kind, place, community } = search.fields.value;
  const inCommunity = community === undefined ? undefined : from.community?.channels;
  const everywhere = hasCommunities.value === true ? ALL_KINDS : [LOBBY];
  const channels = place === undefined ? (inCommunity ?? everywhere) : channelsAt(place, channelAt);
  const kinds = new Set([...kindsIn(channels), ...(kind === undefined ? [] : [kind])]);
  if (kind === undefined && kinds.size < 2) return null;
  return (
    <Group label={words.kind}>
      {[...kinds].map((each) => (
        <Facet
          key={each}
          search={search}
          isOn={each === kind}
          count={search.facets.value?.kinds.find((counted) => counted.kind === each)?.count}
          choice={{ kind: each === kind ? undefined : each }}
        >
          {words.kinds[each]}
        </Facet>
      ))}
    </Group>
  );
}

const ALL_KINDS = [LOBBY, { kind: 'posts' }] as const;

/** Returns the channel at a place, in a list; a channel that is not known has everything. */
function channelsAt(place: 'lobby' | Id, channelAt: FacetsProps['channelAt']) {
  if (place === 'lobby') return [LOBBY];
  const channel = channelAt(place);
  return channel === undefined ? ALL_KINDS : [channel];
}

function Places({ search, from, channelAt }: FacetsProps) {
  const words = useSearchText();
  const { frame } = useCommunityText();
  const { place, community, kind } = search.fields.value;
  const counted = search.facets.value?.places ?? [];
  const offered = [place, from.place, ...counted.map((each) => each.place)];
  const places = [...new Set(offered)].filter((each) => each !== undefined).slice(0, MOST_SHOWN);
  const isAnywhere = community === undefined;
  const kindAmong = (channels: Parameters<typeof kindsIn>[0]) =>
    kindsIn(channels).find((each) => each === kind);
  return (
    <Group label={words.place}>
      {from.community !== undefined && (
        <Facet
          search={search}
          isOn={!isAnywhere && place === undefined}
          count={undefined}
          choice={{
            community: !isAnywhere && place === undefined ? undefined : from.community.community.id,
            place: undefined,
            kind: kindAmong(from.community.channels),
          }}
        >
          <PeopleIcon />
          <bdi>{from.community.community.name}</bdi>
        </Facet>
      )}
      {places.map((each) => {
        const count = counted.find((other) => other.place === each);
        const channel = each === 'lobby' ? undefined : channelAt(each);
        const name = channel?.name ?? count?.name;
        if (each !== 'lobby' && name === undefined) return null;
        const isOn = each === place;
        return (
          <Facet
            key={each}
            search={search}
            isOn={isOn}
            count={count?.count}
            choice={{
              place: isOn ? undefined : each,
              kind: kindAmong(channelsAt(each, channelAt)),
            }}
          >
            {each === 'lobby' ? <LobbyIcon /> : <ChannelIcon kind={channel?.kind ?? 'messages'} />}
            <bdi>{each === 'lobby' ? frame.lobby : name}</bdi>
            {isAnywhere && channel !== undefined && (
              <bdi class="search-facet-of">{channel.community.name}</bdi>
            )}
          </Facet>
        );
      })}
    </Group>
  );
}

function Authors({ search }: Pick<FacetsProps, 'search'>) {
  const words = useSearchText();
  const from = search.fields.value.from.trim();
  const counted = search.facets.value?.authors ?? [];
  const isFrom = (author: string) => foldText(author).trim() === foldText(from).trim();
  const isCounted = counted.some(({ author }) => isFrom(author));
  const authors = [
    ...(from === '' || isCounted ? [] : [{ author: from, user_id: undefined, count: undefined }]),
    ...counted,
  ].slice(0, MOST_SHOWN);
  if (authors.length === 0) return null;
  return (
    <Group label={words.author}>
      {authors.map(({ author, user_id: id, count }) => {
        const user = search.found.value.map(userOf).find((each) => each?.id === id && id);
        const isOn = isFrom(author);
        return (
          <Facet
            key={`${author} ${id}`}
            search={search}
            isOn={isOn}
            count={count}
            choice={{ from: isOn ? '' : author }}
          >
            <Avatar name={author} picture={user?.avatar} size={20} />
            <bdi>{user === undefined ? shownName(author) : nameOfPerson(user)}</bdi>
          </Facet>
        );
      })}
    </Group>
  );
}

function userOf(found: FoundAnywhere): UserSummary | undefined {
  switch (found.kind) {
    case 'messages':
      return found.message.user;
    case 'posts':
      return found.post.user;
    case 'comments':
      return found.comment.user;
  }
}

interface GroupProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

function Group({ label, children }: GroupProps) {
  return (
    <div class="search-facet-group" role="group" aria-label={label}>
      <span class="search-facet-label" aria-hidden="true">
        {label}
      </span>
      {children}
    </div>
  );
}

interface FacetProps {
  readonly search: Search;
  readonly isOn: boolean;
  readonly count: number | undefined;
  /** The change that pressing it makes. */
  readonly choice: Partial<SearchFields>;
  readonly children: ComponentChildren;
}

function Facet({ search, isOn, count, choice, children }: FacetProps) {
  const words = useSearchText();
  const formats = useFormats();
  const isMore = search.facets.value?.more === true;
  return (
    <button
      type="button"
      class="search-facet"
      aria-pressed={isOn}
      title={isOn ? words.remove : undefined}
      onClick={() => void search.choose(choice)}
    >
      <span class="search-facet-name">{children}</span>
      {count !== undefined && (
        <span class="search-facet-count">
          {formats.count(count)}
          {isMore && '+'}
        </span>
      )}
      {isOn && <CloseIcon />}
    </button>
  );
}
