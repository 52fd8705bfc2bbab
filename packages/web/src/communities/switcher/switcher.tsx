import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useFormats } from '../../text/use-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { PlusIcon } from '../../ui/action-icons.tsx';
import { SettingsIcon } from '../../ui/icons.tsx';
import { CompassIcon, HashIcon, HomeIcon, LobbyIcon } from '../../ui/place-icons.tsx';
import { useCovers } from '../../ui/use-covers.ts';
import { useNavigation } from '../../ui/use-navigation.ts';
import { Mark } from '../frame/mark.tsx';
import { PlaceIcon } from '../frame/place-icon.tsx';
import { useCommunities } from '../use-communities.ts';
import { useCommunityText } from '../use-community-text.ts';
import { allPlaces, findPlaces, type SwitcherPlace } from './find-places.ts';
import { bringIntoView } from '../../lib/bring-into-view.ts';
import { ownKeys } from '../../ui/own-keys.ts';

/** Goes anywhere by the name of the place. Loaded on use. */
export function Switcher({ onClose }: { readonly onClose: () => void }) {
  const { switcher: words } = useCommunityText();
  const text = useCommunityText();
  const communities = useCommunities();
  const covers = useCovers();
  const navigation = useNavigation();
  const formats = useFormats();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  useEffect(() => covers.cover(onClose), [covers, onClose]);
  const found = findPlaces(allPlaces(communities, text), typed);
  const current = Math.min(at, found.length - 1);
  const go = (place: SwitcherPlace | undefined) => {
    if (place !== undefined) navigation.go(place.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      setAt((current + step + found.length) % found.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      go(found[current]);
    }
  };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <div class="switcher">
        <input
          dir="auto"
          class="text-field"
          type="text"
          role="combobox"
          autofocus
          autocomplete="off"
          spellcheck={false}
          aria-label={words.label}
          aria-expanded={found.length > 0}
          aria-controls={id}
          aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
          placeholder={words.placeholder}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={ownKeys(onKeyDown)}
        />
        <p class={found.length === 0 ? 'hint' : 'visually-hidden'} role="status">
          {found.length === 0 ? words.none : words.count(found.length, formats.count(found.length))}
        </p>
        <FoundList id={id} found={found} current={current} onGo={go} />
      </div>
    </Dialog>
  );
}

interface ListProps {
  readonly id: string;
  readonly found: readonly SwitcherPlace[];
  /** Which one Enter leads to. */
  readonly current: number;
  readonly onGo: (place: SwitcherPlace) => void;
}

function FoundList({ id, found, current, onGo }: ListProps) {
  const { switcher: words } = useCommunityText();
  const list = useRef<HTMLUListElement>(null);
  const first = found[0]?.path;
  useEffect(() => {
    const line = list.current?.querySelector('[aria-selected=true]') ?? null;
    if (line !== null) bringIntoView(line);
  }, [current, first]);
  return (
    <ul ref={list} id={id} role="listbox" aria-label={words.title}>
      {found.map((place, index) => (
        <li
          key={place.path}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === current}
          data-is-unread={place.isUnread || undefined}
          onMouseDown={(event) => {
            // The box would lose the focus.
            event.preventDefault();
            onGo(place);
          }}
        >
          <PlaceMark place={place} />
          <span class="switcher-name">
            <bdi>{place.name}</bdi>
          </span>
          {place.context !== undefined && <span class="hint">{place.context}</span>}
          <Mark marks={place} />
        </li>
      ))}
    </ul>
  );
}

function PlaceMark({ place: { kind, name, community } }: { readonly place: SwitcherPlace }) {
  switch (kind) {
    case 'home':
      return <HomeIcon />;
    case 'lobby':
      return <LobbyIcon />;
    case 'find':
      return <CompassIcon />;
    case 'create':
      return <PlusIcon />;
    case 'settings':
      return <SettingsIcon />;
    case 'channel':
      return <HashIcon />;
    case 'community':
      return <PlaceIcon name={name} picture={community?.icon} size={32} />;
  }
}
