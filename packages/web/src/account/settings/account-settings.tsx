import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import { InboxButton } from '../../communities/inbox/inbox-button.tsx';
import { useClients } from '../../connection/use-clients.ts';
import { AppearanceSettings } from '../../settings/appearance-settings.tsx';
import { NotificationSettings } from '../../settings/notification-settings.tsx';
import type { AccountSettingsPage, SettingsPage } from '../../settings/settings-pages.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { OwnAccount } from '../own-account.ts';
import { useAccounts } from '../use-accounts.ts';
import { useAccountText } from '../use-account-text.ts';
import { AccountSection } from './account-section.tsx';
import { Loaded } from '../../conversation/loaded.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { SettingsNav, type Section } from './settings-nav.tsx';

interface SettingsProps {
  readonly page: SettingsPage | AccountSettingsPage | undefined;
  readonly onClose: () => void;
}

/** The settings of somebody with an account: several pages. Loaded on use. */
export function AccountSettings({ page, onClose }: SettingsProps) {
  const { settings: words } = useAccountText();
  const section = page === undefined ? undefined : sectionOf(page);
  const id = useId();
  return (
    <Dialog title={words.title} isWide tools={<InboxButton />} onClose={onClose}>
      <div class="settings" data-is-list={section === undefined || undefined}>
        <SettingsNav current={section} />
        <section class="settings-page" aria-labelledby={id}>
          <PageTitle key={section} id={id} title={words.pages[section ?? 'profile']} />
          <SettingsPageView section={section ?? 'profile'} page={page} />
        </section>
      </div>
    </Dialog>
  );
}

/** Gets the focus when the page changes, so that screen readers say where the reader is. */
function PageTitle({ id, title }: { readonly id: string; readonly title: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h3 ref={heading} id={id} class="settings-title" tabIndex={-1}>
      {title}
    </h3>
  );
}

interface PageProps {
  readonly section: Section;
  readonly page: SettingsProps['page'];
}

function SettingsPageView({ section, page }: PageProps) {
  const { client } = useClients();
  const accounts = useAccounts();
  const own = useMemo(() => new OwnAccount(client, accounts), [client, accounts]);
  useEffect(() => void own.load(), [own]);
  const retry = () => void own.load();
  switch (section) {
    case 'profile':
      return (
        <Loaded asked={own.user.value} onRetry={retry}>
          {(user) => <ProfileSection own={own} user={user} />}
        </Loaded>
      );
    case 'account':
      return (
        <Loaded asked={own.user.value} onRetry={retry}>
          {(user) => <AccountSection own={own} user={user} />}
        </Loaded>
      );
    case 'sessions':
      return <SessionsSection />;
    case 'appearance':
      return (
        <AppearanceSettings
          page={page}
          // If this fails, only mail stays in the former language.
          onLanguage={(language) => void own.changeSettings({ language }).catch(() => {})}
        />
      );
    case 'notifications':
      return <NotificationSettings isFirst={page === 'notifications'} />;
  }
}

/** Visitors have pages for single settings. */
function sectionOf(page: SettingsPage | AccountSettingsPage): Section {
  switch (page) {
    case 'profile':
    case 'account':
    case 'sessions':
    case 'notifications':
      return page;
    case 'name':
      return 'profile';
    case 'appearance':
    case 'colours':
    case 'language':
    case 'motion':
      return 'appearance';
  }
}
