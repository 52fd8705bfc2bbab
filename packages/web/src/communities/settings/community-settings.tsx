import { useEffect, useId, useRef } from 'preact/hooks';
import { Dialog } from '../../ui/dialog.tsx';
import type { CommunityPage } from '../../settings/settings-pages.ts';
import type { MyCommunity } from '@hearth/sdk';
import { useText } from '../../text/use-text.ts';
import { InboxButton } from '../inbox/inbox-button.tsx';
import { useCommunities } from '../use-communities.ts';
import { AuditPage } from './audit-page.tsx';
import { BansPage } from './bans-page.tsx';
import { ChannelsPage } from './channels-page.tsx';
import { InvitesPage } from './invites-page.tsx';
import { LeavePage } from './leave-page.tsx';
import { MembersPage } from './members-page.tsx';
import { OverviewPage } from './overview-page.tsx';
import { pagesFor } from './pages-for.ts';
import { RequestsPage } from './requests-page.tsx';
import { RolesPage } from './roles-page.tsx';
import { CommunityNav } from './community-nav.tsx';
import { useSettingsText } from './use-settings-text.ts';

interface SettingsProps {
  readonly slug: string;
  readonly page: CommunityPage | undefined;
  readonly onClose: () => void;
}

/** The settings of a community: the pages that the reader may use. Loaded on use. */
export function CommunitySettings({ slug, page, onClose }: SettingsProps) {
  const communities = useCommunities();
  const words = useSettingsText();
  const { asked } = useText().shell;
  const community = communities.ownBySlug(slug);
  const id = useId();
  if (community === undefined) {
    return (
      <Dialog title={words.title(slug)} isWide onClose={onClose}>
        <p class="hint" role="status">
          {communities.own.value === undefined ? asked.loading : asked.failed}
        </p>
      </Dialog>
    );
  }
  const pages = pagesFor(community);
  const shown = pages.find((each) => each === page) ?? pages[0] ?? 'leave';
  return (
    <Dialog title={words.title(community.name)} isWide tools={<InboxButton />} onClose={onClose}>
      <div class="settings" data-is-list={page === undefined || undefined}>
        <CommunityNav slug={slug} pages={pages} current={page} />
        <section class="settings-page" aria-labelledby={id}>
          <PageTitle key={shown} id={id} title={words.pages[shown]} />
          <SettingsPage key={shown} community={community} page={shown} />
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
  readonly community: MyCommunity;
  readonly page: CommunityPage;
}

function SettingsPage({ community, page }: PageProps) {
  switch (page) {
    case 'overview':
      return <OverviewPage community={community} />;
    case 'channels':
      return <ChannelsPage community={community} />;
    case 'roles':
      return <RolesPage community={community} />;
    case 'members':
      return <MembersPage community={community} />;
    case 'invites':
      return <InvitesPage community={community} />;
    case 'requests':
      return <RequestsPage community={community} />;
    case 'bans':
      return <BansPage community={community} />;
    case 'audit':
      return <AuditPage community={community} />;
    case 'leave':
      return <LeavePage community={community} />;
  }
}
