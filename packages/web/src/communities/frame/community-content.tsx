import type { ChannelStub } from '@hearth/protocol';
import { ConnectionBanner } from '../../connection/connection-banner.tsx';
import type { ShownCommunity } from '../communities.ts';
import { communityPath } from '../paths.ts';
import { useCommunityText } from '../use-community-text.ts';
import { AboutCommunity } from './about-community.tsx';
import { ChannelIcon } from './channel-link.tsx';
import { JoinBar } from './join-bar.tsx';
import { RestoreBar } from './restore-bar.tsx';
import { PlaceHeader } from './place-header.tsx';

interface ContentProps {
  readonly shown: ShownCommunity;
  readonly channel: ChannelStub | undefined;
}

/** What is shown in a community beside its channels. */
export function CommunityContent({ shown, channel }: ContentProps) {
  const { frame: words } = useCommunityText();
  const { community, own } = shown;
  const back = { path: communityPath(community.slug), label: words.toChannels(community.name) };
  return (
    <div class="frame">
      {channel === undefined ? (
        <PlaceHeader title={community.name} />
      ) : (
        <PlaceHeader back={back} icon={<ChannelIcon kind={channel.kind} />} title={channel.name} />
      )}
      <main class="page" aria-label={channel?.name ?? community.name}>
        <ConnectionBanner />
        {community.deleted_at !== undefined && <RestoreBar community={community} />}
        {channel === undefined ? (
          <AboutCommunity community={community} />
        ) : (
          <p class="hint page-empty">{words.notYet}</p>
        )}
        {own === undefined && community.deleted_at === undefined && (
          <JoinBar community={community} />
        )}
      </main>
    </div>
  );
}
