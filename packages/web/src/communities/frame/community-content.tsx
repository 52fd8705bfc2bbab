import type { ChannelStub, Community } from '@hearth/protocol';
import { ConnectionBanner } from '../../connection/connection-banner.tsx';
import { useAttachments } from '../../conversation/attachments/use-attachments.ts';
import type { ShownCommunity } from '../communities.ts';
import { communityPath } from '../paths.ts';
import { useCommunityText } from '../use-community-text.ts';
import { useFormats } from '../../text/use-text.ts';
import { ChannelIcon } from './channel-link.tsx';
import { JoinBar } from './join-bar.tsx';
import { RestoreBar } from './restore-bar.tsx';
import { PlaceHeader } from './place-header.tsx';
import { PlaceIcon } from './place-icon.tsx';

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

/** What a community says of itself. */
export function AboutCommunity({ community }: { readonly community: Community }) {
  const { media } = useAttachments();
  const { frame: words } = useCommunityText();
  const formats = useFormats();
  const { name, icon, banner, description, member_count: count, visibility, kind } = community;
  return (
    <div class="page-body about-community">
      {banner !== undefined && (
        <img class="about-banner" src={media.url(banner, media.sizeFor(800))} alt="" />
      )}
      <PlaceIcon name={name} picture={icon} size={72} />
      <h2 class="page-title">{name}</h2>
      <p class="hint">
        {[
          words.visibilities[visibility],
          words.kinds[kind],
          words.members(count, formats.count(count)),
        ].join(' · ')}
      </p>
      {description !== undefined && <p class="about-text">{description}</p>}
    </div>
  );
}
