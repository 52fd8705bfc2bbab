import { webPath } from '@hearth/protocol';
import { ownPath } from '../../lib/own-path.ts';
import { BackIcon, ForthIcon } from '../../ui/icons.tsx';
import { BellIcon } from '../../ui/place-icons.tsx';
import { DevicesIcon, KeyIcon, PaletteIcon, PersonIcon } from '../icons.tsx';
import { useAccountText } from '../use-account-text.ts';

/** The pages of the settings, in their order. */
const SECTIONS = ['profile', 'account', 'sessions', 'appearance', 'notifications'] as const;

/** A page of the settings. */
export type Section = (typeof SECTIONS)[number];

const ICONS = {
  profile: PersonIcon,
  account: KeyIcon,
  sessions: DevicesIcon,
  appearance: PaletteIcon,
  notifications: BellIcon,
} as const;

/** The list of the pages; on a narrow page, either it or one of them is shown. */
export function SettingsNav({ current }: { readonly current: Section | undefined }) {
  const { settings: words } = useAccountText();
  return (
    <nav class="settings-nav" aria-label={words.title}>
      <a class="settings-back" href={ownPath(webPath('settings', {}))} data-replaces>
        <BackIcon />
        <span>{words.back}</span>
      </a>
      <ul>
        {SECTIONS.map((section) => {
          const Icon = ICONS[section];
          // A wide page shows the first one if the address names none.
          const isCurrent = section === current;
          const isFirst = current === undefined && section === SECTIONS[0];
          return (
            <li key={section}>
              <a
                class="settings-link"
                href={ownPath(webPath('settingsPage', { page: section }))}
                data-replaces
                data-is-shown={isCurrent || isFirst || undefined}
                aria-current={isCurrent ? 'page' : undefined}
              >
                <Icon />
                <span>{words.pages[section]}</span>
                <ForthIcon />
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
