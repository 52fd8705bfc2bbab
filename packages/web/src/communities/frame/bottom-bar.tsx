import { webPath } from '@hearth/protocol';
import type { ComponentChildren } from 'preact';
import { ownPath } from '../../lib/own-path.ts';
import { PersonIcon } from '../../account/icons.tsx';
import { SearchIcon } from '../../ui/action-icons.tsx';
import { CompassIcon, HomeIcon, LobbyIcon } from '../../ui/place-icons.tsx';
import { useCommunityText } from '../use-community-text.ts';
import type { FramePlace } from './places-rail.tsx';

interface BarProps {
  readonly place: FramePlace;
  readonly onSwitch: () => void;
}

/** The bar below a narrow page. */
export function BottomBar({ place, onSwitch }: BarProps) {
  const { frame: words } = useCommunityText();
  return (
    <nav class="bottom-bar" aria-label={words.places}>
      <BarLink
        path={webPath('home', {})}
        label={words.home}
        isCurrent={place.kind === 'home' || place.kind === 'community'}
      >
        <HomeIcon />
      </BarLink>
      <BarLink path={webPath('lobby', {})} label={words.lobby} isCurrent={place.kind === 'lobby'}>
        <LobbyIcon />
      </BarLink>
      <BarLink
        path={webPath('communities', {})}
        label={words.findShort}
        isCurrent={place.kind === 'find'}
      >
        <CompassIcon />
      </BarLink>
      <button type="button" class="bar-link" aria-haspopup="dialog" onClick={onSwitch}>
        <SearchIcon />
        <span>{words.goShort}</span>
      </button>
      <BarLink path={webPath('settings', {})} label={words.you} isCurrent={false}>
        <PersonIcon />
      </BarLink>
    </nav>
  );
}

interface LinkProps {
  readonly path: string;
  readonly label: string;
  readonly isCurrent: boolean;
  readonly children: ComponentChildren;
}

function BarLink({ path, label, isCurrent, children }: LinkProps) {
  return (
    <a class="bar-link" href={ownPath(path)} aria-current={isCurrent ? 'page' : undefined}>
      {children}
      <span>{label}</span>
    </a>
  );
}
