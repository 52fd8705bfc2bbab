import { useCallback, useEffect, useRef } from 'preact/hooks';
import { useViews } from '../lib/views.ts';
import type { SearchedFrom } from '../search/searched-from.ts';
import { useSearchOpening } from '../search/search-opening.ts';
import { listenToKeys } from '../ui/own-keys.ts';
import type { Shown } from './shown-at.ts';
import type { AppState } from './state.ts';

interface SearchProps {
  readonly state: AppState;
  readonly shown: Shown;
}

/** Shows the search while it is open. Ctrl+F opens it, too, unless something covers the page; then that key is the browser's own. */
export function SearchOnDemand({ state, shown }: SearchProps) {
  const { instance, router } = state;
  const isOpen = useSearchOpening();
  const hasSearch = instance.features.value.includes('search');
  const views = useViews('search', isOpen.value);
  const visit = router.visit.value;
  const left = useRef<string | undefined>(undefined);
  const close = useCallback(() => {
    isOpen.value = false;
    // A result led elsewhere.
    if (router.visit.peek() !== visit) left.current = JSON.stringify(visit.place);
  }, [isOpen, router, visit]);
  useEffect(() => {
    if (visit.isReturn && JSON.stringify(visit.place) === left.current) isOpen.value = true;
  }, [isOpen, visit]);
  useEffect(() => {
    if (!hasSearch) return undefined;
    return listenToKeys((event) => {
      const isFind = event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey);
      if (!isFind || event.altKey || event.shiftKey || event.defaultPrevented) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      isOpen.value = true;
    });
  }, [isOpen, hasSearch]);
  if (!isOpen.value || views === undefined) return null;
  return <views.SearchPanel from={fromOf(state, shown)} onClose={close} />;
}

/** Returns where the reader is. */
function fromOf({ communities }: AppState, shown: Shown): SearchedFrom {
  if (shown.view === 'lobby') return { community: undefined, place: 'lobby' };
  if (shown.view !== 'community') return { community: undefined, place: undefined };
  const asked = communities.shown.at(shown.slug);
  const community = asked.state === 'there' ? asked.value : undefined;
  return { community, place: shown.channelId ?? communities.openPost.value?.channel_id };
}
