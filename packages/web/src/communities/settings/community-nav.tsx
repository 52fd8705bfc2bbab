import { webPath } from '@hearth/protocol';
import { SignOutIcon } from '../../account/icons.tsx';
import { ownPath } from '../../lib/own-path.ts';
import { BackIcon, ForthIcon, PeopleIcon, SettingsIcon } from '../../ui/icons.tsx';
import {
  BanIcon,
  BellIcon,
  HashIcon,
  InviteIcon,
  LogIcon,
  RoleIcon,
} from '../../ui/place-icons.tsx';
import type { CommunityPage } from '../../settings/settings-pages.ts';
import { useSettingsText } from './use-settings-text.ts';

const ICONS = {
  overview: SettingsIcon,
  channels: HashIcon,
  roles: RoleIcon,
  members: PeopleIcon,
  invites: InviteIcon,
  requests: BellIcon,
  bans: BanIcon,
  audit: LogIcon,
  leave: SignOutIcon,
} as const satisfies Readonly<Record<CommunityPage, typeof BellIcon>>;

interface NavProps {
  readonly slug: string;
  readonly pages: readonly CommunityPage[];
  readonly current: CommunityPage | undefined;
}

/** The list of the pages; on a narrow page, either it or one of them is shown. */
export function CommunityNav({ slug, pages, current }: NavProps) {
  const words = useSettingsText();
  return (
    <nav class="settings-nav" aria-label={words.back}>
      <a class="settings-back" href={ownPath(webPath('communitySettings', { slug }))} data-replaces>
        <BackIcon />
        <span>{words.back}</span>
      </a>
      <ul>
        {pages.map((page) => {
          const Icon = ICONS[page];
          const isCurrent = page === current;
          const isFirst = current === undefined && page === pages[0];
          return (
            <li key={page}>
              <a
                class="settings-link"
                href={ownPath(webPath('communitySettingsPage', { slug, page }))}
                data-replaces
                data-is-shown={isCurrent || isFirst || undefined}
                aria-current={isCurrent ? 'page' : undefined}
              >
                <Icon />
                <span>{words.pages[page]}</span>
                <ForthIcon />
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
