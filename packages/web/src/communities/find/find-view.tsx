import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Community } from '@hearth/protocol';
import { Loaded } from '../../conversation/loaded.tsx';
import { ConnectionBanner } from '../../connection/connection-banner.tsx';
import { ownPath } from '../../lib/own-path.ts';
import { useFormats } from '../../text/use-text.ts';
import { SearchIcon } from '../../ui/action-icons.tsx';
import { Choice } from '../../ui/choice.tsx';
import { JoinButton, useJoining } from '../frame/join-bar.tsx';
import { PlaceHeader } from '../frame/place-header.tsx';
import { PlaceIcon } from '../frame/place-icon.tsx';
import { MoreButton } from '../more-button.tsx';
import { isKindShown } from '../offered-kinds.ts';
import { PagedList } from '../paged-list.ts';
import { communityPath } from '../paths.ts';
import { useCommunities } from '../use-communities.ts';
import { useCommunityText } from '../use-community-text.ts';
import { useAccounts } from '../../account/use-accounts.ts';

const SORTS = ['active', 'new', 'members'] as const;

/** A search begins that long after the last change. */
const WAIT_MS = 300;

/** The public communities, which can be searched and joined. Loaded on use. */
export function FindView() {
  const { find: words } = useCommunityText();
  const [typed, setTyped] = useState('');
  const [sort, setSort] = useState<(typeof SORTS)[number]>('active');
  const list = useFound(typed, sort);
  const retry = () => void list.load();
  return (
    <div class="frame">
      <PlaceHeader title={words.title} />
      <main class="page" aria-label={words.title}>
        <ConnectionBanner />
        <div class="page-body">
          <search class="find-fields">
            <label class="find-box">
              <span class="visually-hidden">{words.label}</span>
              <SearchIcon />
              <input
                dir="auto"
                class="text-field"
                type="search"
                placeholder={words.placeholder}
                value={typed}
                onInput={(event) => setTyped(event.currentTarget.value)}
              />
            </label>
            <Choice
              label={words.sort}
              values={SORTS}
              names={words.sorts}
              value={sort}
              onChange={setSort}
            />
          </search>
          <Loaded asked={list.asked.value} onRetry={retry}>
            {({ entries }) => (
              <Found entries={entries} list={list} hasWords={typed.trim() !== ''} />
            )}
          </Loaded>
        </div>
      </main>
    </div>
  );
}

function useFound(typed: string, sort: (typeof SORTS)[number]): PagedList<Community> {
  const { requests } = useCommunities();
  const [searched, setSearched] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearched(typed.trim()), WAIT_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const list = useMemo(
    () =>
      new PagedList<Community>((cursor) =>
        requests.find({ q: searched === '' ? undefined : searched, sort, cursor }),
      ),
    [requests, searched, sort],
  );
  useEffect(() => void list.load(), [list]);
  return list;
}

interface FoundProps {
  readonly entries: readonly Community[];
  readonly list: PagedList<Community>;
  readonly hasWords: boolean;
}

function Found({ entries, list, hasWords }: FoundProps) {
  const { find: words } = useCommunityText();
  const formats = useFormats();
  return (
    <>
      <p class={entries.length === 0 ? 'hint' : 'visually-hidden'} role="status">
        {entries.length > 0 && words.found(entries.length, formats.count(entries.length))}
        {entries.length === 0 && (hasWords ? words.noneFound : words.none)}
      </p>
      <ul class="find-cards">
        {entries.map((community) => (
          <li key={community.id}>
            <FoundCard community={community} />
          </li>
        ))}
      </ul>
      <MoreButton list={list} label={words.more} />
    </>
  );
}

function FoundCard({ community }: { readonly community: Community }) {
  const communities = useCommunities();
  const { find: words, frame } = useCommunityText();
  const formats = useFormats();
  const account = useAccounts().current.value;
  const { state, problem, join } = useJoining(community);
  const { name, icon, description, slug, member_count: count, kind } = community;
  const isMember = communities.ownBySlug(slug) !== undefined;
  const path = ownPath(communityPath(slug));
  return (
    <article class="find-card" aria-label={name}>
      <PlaceIcon name={name} picture={icon} size={48} />
      <div class="find-card-text">
        <h2>
          <a href={path}>{name}</a>
        </h2>
        <p class="hint">
          {frame.members(count, formats.count(count))}
          {isKindShown() && ` · ${frame.kinds[kind]}`}
        </p>
        {description !== undefined && (
          <p class="find-card-about" dir="auto">
            {description}
          </p>
        )}
        <div class="form-end">
          {isMember ? (
            <p class="success">{words.joined}</p>
          ) : (
            account !== undefined && (
              <JoinButton
                mode={community.join}
                isBusy={state === 'busy'}
                isDone={state === 'asked'}
                join={join}
              />
            )
          )}
          <a class="button" href={path} aria-label={isMember ? words.open(name) : undefined}>
            {isMember ? words.open(name) : words.look}
          </a>
        </div>
        <p class="success" role="status">
          {state === 'asked' && frame.asked}
        </p>
        <p class="problem" role="alert">
          {problem}
        </p>
      </div>
    </article>
  );
}
