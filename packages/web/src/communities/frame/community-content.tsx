import { ConnectionBanner } from '../../connection/connection-banner.tsx';
import type { ShownCommunity } from '../shown-communities.ts';
import { AboutCommunity } from './about-community.tsx';
import { JoinBar } from './join-bar.tsx';
import { RestoreBar } from './restore-bar.tsx';
import { PlaceHeader } from './place-header.tsx';

/** Shows the content of a community without channels, beside where they would be. */
export function CommunityContent({ shown }: { readonly shown: ShownCommunity }) {
  const { community, own } = shown;
  return (
    <div class="frame">
      <PlaceHeader title={community.name} />
      <main class="page" aria-label={community.name}>
        <ConnectionBanner />
        {community.deleted_at !== undefined && <RestoreBar community={community} />}
        <AboutCommunity community={community} />
        {own === undefined && community.deleted_at === undefined && (
          <JoinBar community={community} />
        )}
      </main>
    </div>
  );
}
