import type { Id } from '@hearth/protocol';
import type { Client, SdkClock } from '@hearth/sdk';
import { addPosts } from '@hearth/sdk/posts';
import type { TargetedEvent } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useCommunities } from '../communities/use-communities.ts';
import { useAttachments } from '../conversation/attachments/use-attachments.ts';
import { describeError } from '../conversation/describe-error.ts';
import { useConversationParts } from '../conversation/use-conversation-parts.ts';
import { useFormats, useText } from '../text/use-text.ts';
import { SearchIcon } from '../ui/action-icons.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ChevronIcon } from '../ui/icons.tsx';
import { ownKeys } from '../ui/own-keys.ts';
import { useCovers } from '../ui/use-covers.ts';
import { clientSource } from './client-source.ts';
import { hitOf, type KnownChannel } from './hit.ts';
import { moveByArrows } from './move-by-arrows.ts';
import { SearchFacets } from './search-facets.tsx';
import { EMPTY_FIELDS, filtersIn, type SearchFields } from './search-fields.ts';
import { SearchFilters } from './search-filters.tsx';
import { SearchHit } from './search-hit.tsx';
import { Search } from './search.ts';
import type { SearchedFrom } from './searched-from.ts';
import { useSearchText } from './use-search-text.ts';

interface PanelProps {
  readonly from: SearchedFrom;
  readonly onClose: () => void;
}

interface SearchProps {
  readonly search: Search;
}

/** Searches messages, posts and comments. Loaded on use. */
export function SearchPanel({ from, onClose }: PanelProps) {
  const covers = useCovers();
  const words = useSearchText();
  const { client, clock } = useConversationParts();
  useEffect(() => covers.cover(onClose), [covers, onClose]);
  const search = searchFrom(client, clock, from);
  // Much may have changed while it was closed.
  useEffect(() => void search.search(), [search]);
  const channelAt = useChannels(from);
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return moveByArrows(event);
    // Browsers would empty the field at first.
    event.preventDefault();
    onClose();
  };
  return (
    <Dialog
      title={words.title}
      isWide
      tools={<Words search={search} handleKey={handleKey} />}
      onClose={onClose}
    >
      <div class="search">
        <Side search={search} from={from} channelAt={channelAt} />
        <div
          class="search-results"
          role="presentation"
          onKeyDown={ownKeys(handleKey)}
          {...useKeptScroll(search)}
        >
          <Outcome search={search} />
          <Hits search={search} channelAt={channelAt} />
          <More search={search} />
        </div>
      </div>
    </Dialog>
  );
}

const SCROLLED = new WeakMap<SearchFields, number>();

/** Keeps the place in the results while the search is closed. The results of another search begin at the top. */
function useKeptScroll(search: Search) {
  const ref = useRef<HTMLDivElement>(null);
  const fields = search.fields.value;
  useLayoutEffect(() => ref.current?.scrollTo(0, SCROLLED.get(fields) ?? 0), [fields]);
  const onScroll = ({ currentTarget }: TargetedEvent<HTMLElement>) => {
    SCROLLED.set(fields, currentTarget.scrollTop);
  };
  return { ref, onScroll };
}

const LAST = new WeakMap<Client, { readonly scope: Id | undefined; readonly search: Search }>();

/** Returns the last search, as the reader left it, or a new one if they are in another community. */
function searchFrom(client: Client, clock: SdkClock, { community }: SearchedFrom): Search {
  const scope = community?.community.id;
  const last = LAST.get(client);
  if (last !== undefined && last.scope === scope) return last.search;
  last?.search[Symbol.dispose]();
  const open = clientSource(client, addPosts(client));
  const search = new Search(open, clock, { ...EMPTY_FIELDS, community: scope });
  LAST.set(client, { scope, search });
  return search;
}

/** Returns the known channels: those of the reader's communities, and of the one that they look at. */
function useChannels(from: SearchedFrom): (id: Id) => KnownChannel | undefined {
  const own = useCommunities().own.value;
  return useMemo(() => {
    const known = new Map<Id, KnownChannel>();
    const shown = (own ?? []).map((community) => ({ community, channels: community.channels }));
    for (const { community, channels } of [...(from.community ? [from.community] : []), ...shown]) {
      for (const { id, name, kind } of channels) known.set(id, { name, kind, community });
    }
    return (id) => known.get(id);
  }, [own, from.community]);
}

interface WordsProps extends SearchProps {
  readonly handleKey: (event: KeyboardEvent) => void;
}

function Words({ search, handleKey }: WordsProps) {
  const words = useSearchText();
  return (
    <form
      class="search-words"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        void search.search();
      }}
      onKeyDown={ownKeys(handleKey)}
    >
      <SearchIcon />
      <input
        dir="auto"
        type="search"
        class="text-field search-text"
        aria-label={words.text}
        placeholder={words.text}
        autocomplete="off"
        autofocus
        maxLength={200}
        value={search.fields.value.text}
        onInput={(event) => search.change({ text: event.currentTarget.value })}
      />
    </form>
  );
}

/** The facets and filters. A narrow page folds the filters until a button is pressed. */
function Side(props: Parameters<typeof SearchFacets>[0]) {
  const { search } = props;
  const words = useSearchText();
  const id = useId();
  const fields = search.fields.value;
  const count = filtersIn(fields);
  const [isUnfolded, setIsUnfolded] = useState(count > 0);
  return (
    <div class="search-side" role="group" aria-label={words.narrow}>
      <div class="search-facets">
        <button
          type="button"
          class="search-facet search-fold"
          aria-expanded={isUnfolded}
          aria-controls={id}
          onClick={() => setIsUnfolded(!isUnfolded)}
        >
          {words.filters(count)}
          <ChevronIcon />
        </button>
        <SearchFacets {...props} />
      </div>
      <div id={id} class={isUnfolded ? 'search-filters' : 'search-filters search-filters-folded'}>
        <SearchFilters fields={fields} onChange={(changed) => search.change(changed)} />
      </div>
    </div>
  );
}

/** Shows how far the search is, how many were found, or why it failed. */
function Outcome({ search }: SearchProps) {
  const text = useText();
  const formats = useFormats();
  const words = useSearchText();
  const state = search.state.value;
  const isNothing = state.state === 'done' && !state.isMore && search.found.value.length === 0;
  return (
    <>
      <div class={isNothing ? 'search-nothing' : 'search-outcome'} role="status">
        {state.state === 'idle' && words.hint}
        {state.state === 'searching' && words.searching}
        {state.state === 'done' && (isNothing ? words.nothing : <Count search={search} />)}
        {state.state === 'failed' && (
          <span class="problem">{describeError(state.error, text, formats)}</span>
        )}
      </div>
      {isNothing && <p class="hint search-nothing-hint">{words.nothingText}</p>}
    </>
  );
}

function Count({ search }: SearchProps) {
  const formats = useFormats();
  const words = useSearchText();
  const facets = search.facets.value;
  const state = search.state.value;
  const isMore = state.state === 'done' && state.isMore;
  // A number is announced once it is the last one.
  if (isMore && search.isCounting.value) return <>{words.searching}</>;
  const isCounted = isMore && facets !== undefined;
  const count = isCounted ? facets.total : search.found.value.length;
  const isAtLeast = isCounted ? facets.more === true : isMore;
  return <>{words.found(count, `${formats.count(count)}${isAtLeast ? '+' : ''}`)}</>;
}

interface HitsProps extends SearchProps {
  readonly channelAt: (id: Id) => KnownChannel | undefined;
}

function Hits({ search, channelAt }: HitsProps) {
  const words = useSearchText();
  const attachments = useAttachments();
  const { text: query, community, place } = search.fields.value;
  const context = {
    query,
    channelAt,
    withoutFiles: (content: string) => attachments.split(content).text,
  };
  return (
    <ol
      class="search-hits"
      aria-label={words.results}
      aria-busy={search.state.value.state === 'searching'}
    >
      {search.found.value.map((found) => {
        const hit = hitOf(found, context);
        if (hit === undefined) return null;
        return (
          <SearchHit
            key={hit.id}
            hit={hit}
            query={query}
            isAnywhere={community === undefined && place === undefined}
          />
        );
      })}
    </ol>
  );
}

/** Asks for older ones, or again for what failed. The first of them gets the focus if the button has kept it until then. */
function More({ search }: SearchProps) {
  const { conversation } = useText();
  const words = useSearchText();
  const now = search.state.value;
  const isSearching = now.state === 'searching';
  const last = useRef(now);
  if (!isSearching) last.current = now;
  const button = useRef<HTMLButtonElement>(null);
  const pressedAt = useRef<number>(undefined);
  useEffect(() => {
    if (now.state !== 'done' || pressedAt.current === undefined) return;
    const first =
      hitsShown()[pressedAt.current] ?? document.querySelector<HTMLElement>('.search-text');
    pressedAt.current = undefined;
    const { activeElement } = document;
    if (activeElement === button.current || activeElement === document.body) first?.focus();
  }, [now]);
  const { current: shown } = last;
  const isMore = shown.state === 'done' && shown.isMore;
  if (!isMore && shown.state !== 'failed') return null;
  return (
    <button
      ref={button}
      type="button"
      class="button search-more"
      aria-disabled={isSearching}
      onClick={() => {
        if (isSearching) return;
        pressedAt.current = hitsShown().length;
        void search.more();
      }}
    >
      {isMore ? words.more : conversation.tryAgain}
    </button>
  );
}

function hitsShown() {
  return document.querySelectorAll<HTMLElement>('.search-hit');
}
