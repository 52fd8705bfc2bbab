import type { Id } from '@hearth/protocol';
import type { MyChannel, MyCommunity } from '@hearth/sdk';
import { channelPath } from '../../communities/paths.ts';
import { useCommunities } from '../../communities/use-communities.ts';
import { useChannelDetails } from '../use-channel-details.ts';
import { NewPostDialog } from './new-post-dialog.tsx';
import { postingChannels } from './posting-channels.ts';

interface MessageProps {
  /** The channel of the message. */
  readonly channel: MyChannel;
  readonly id: Id;
  readonly content: string;
  readonly onClose: () => void;
}

/** The form in which a message is made into a post. */
export function MessagePostDialog(props: MessageProps) {
  const all = useCommunities().own.value ?? [];
  const community = all.find(({ id }) => id === props.channel.community_id);
  return community === undefined ? null : <Opened {...props} community={community} />;
}

function Opened({
  channel,
  id,
  content,
  community,
  onClose,
}: MessageProps & { readonly community: MyCommunity }) {
  const shown = { community, own: community, channels: community.channels };
  const detailed = useChannelDetails(shown);
  return (
    <NewPostDialog
      channels={postingChannels(shown, detailed)}
      from={{ channel_id: channel.id, id }}
      beginning={{ content }}
      leadTo={(chosen) => channelPath(community.slug, chosen)}
      onClose={onClose}
    />
  );
}
