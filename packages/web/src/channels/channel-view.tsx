import { useEffect, useRef, useState } from 'preact/hooks';
import { webPath, type Id } from '@hearth/protocol';
import { ChannelIcon } from '../communities/frame/channel-link.tsx';
import { JoinBar } from '../communities/frame/join-bar.tsx';
import { PlaceHeader } from '../communities/frame/place-header.tsx';
import { useIsWide } from '../communities/frame/use-is-wide.ts';
import type { ShownChannel, ShownCommunity } from '../communities/shown-communities.ts';
import { communityPath } from '../communities/paths.ts';
import { useCommunities } from '../communities/use-communities.ts';
import { useCommunityText } from '../communities/use-community-text.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { ConversationView } from '../conversation/conversation-view.tsx';
import { useFormats } from '../text/use-text.ts';
import { PeopleIcon } from '../ui/icons.tsx';
import { useNavigation } from '../ui/use-navigation.ts';
import { MemberColumn } from './member-column.tsx';
import { selectBar } from './select-bar.tsx';
import { ToolButtons } from './tool-buttons.tsx';
import { TypingLine } from './typing-line.tsx';
import { useChannels } from './use-channels.ts';

interface ViewProps {
  readonly shown: ShownCommunity;
  readonly channel: ShownChannel;
  readonly messageId: Id | undefined;
}

/** A channel: its messages, where one writes, and the members of its community. */
export function ChannelView({ shown, channel, messageId }: ViewProps) {
  const { frame: words, channel: own } = useCommunityText();
  const channels = useChannels();
  const { isListing, setIsListing } = useListing(channel.id);
  const { community } = shown;
  // Another one takes its place after it was closed.
  void channels.closed.value;
  const conversation = channels.at(community, channel);
  const number = useNumber(conversation);
  useEffect(() => channels.watch(community.id, channel.id), [channels, community.id, channel.id]);
  useSought(conversation, { slug: community.slug, channelId: channel.id, messageId });
  const label = isListing ? own.hideMembers : own.showMembers;
  return (
    <div class="frame">
      <PlaceHeader
        back={{ path: communityPath(community.slug), label: words.toChannels(community.name) }}
        icon={<ChannelIcon kind={channel.kind} />}
        title={channel.name}
        text={channel.details?.topic ?? channel.topic}
      >
        <ToolButtons conversation={conversation} />
        <button
          type="button"
          class="icon-button"
          aria-label={label}
          aria-pressed={isListing}
          title={label}
          onClick={() => setIsListing(!isListing)}
        >
          <PeopleIcon />
        </button>
      </PlaceHeader>
      <div class="channel-page" data-lists={isListing || undefined}>
        <ConversationView
          key={number}
          conversation={conversation}
          instead={<MayNotPost shown={shown} channel={channel} />}
          bar={selectBar(conversation)}
        >
          <TypingLine typing={channels.typing} channelId={channel.id} />
        </ConversationView>
        {isListing && (
          <MemberColumn
            key={community.id}
            of={channels.members(community.id)}
            people={channels.people}
            onClose={() => setIsListing(false)}
          />
        )}
      </div>
    </div>
  );
}

/** Returns whether the members are shown. On a narrow page, they would cover the messages. */
function useListing(channelId: Id) {
  const { kept } = useCommunities();
  const isWide = useIsWide();
  const [isOver, setIsOver] = useState(false);
  useEffect(() => setIsOver(false), [isWide, channelId]);
  return {
    isListing: isWide ? !kept.hidesMembers : isOver,
    setIsListing: (isListing: boolean) => {
      if (isWide) kept.hideMembers(!isListing);
      else setIsOver(isListing);
    },
  };
}

/** Another number for each conversation that is shown, so that each has a view of its own. */
function useNumber(conversation: Conversation): number {
  const last = useRef({ conversation, number: 0 });
  if (last.current.conversation !== conversation) {
    last.current = { conversation, number: last.current.number + 1 };
  }
  return last.current.number;
}

/** Why there is no box to write in. */
function MayNotPost({ shown: { community, own }, channel }: Pick<ViewProps, 'shown' | 'channel'>) {
  const { channel: words } = useCommunityText();
  const formats = useFormats();
  if (own === undefined) return <JoinBar community={community} />;
  const until = own.membership.timed_out_until;
  return (
    <p class="may-not-post" role="status">
      {until !== undefined && words.timedOut(formats.moment(until))}
      {until === undefined &&
        (channel.kind === 'announcements' ? words.announcements : words.readOnly)}
    </p>
  );
}

interface Place {
  readonly slug: string;
  readonly channelId: Id;
  readonly messageId: Id | undefined;
}

/** Shows the message that the address names, which it no longer does after the reader has gone elsewhere. */
function useSought(conversation: Conversation, { slug, channelId, messageId }: Place): void {
  const navigation = useNavigation();
  const arrival = navigation.arrival.value;
  const [shown, setShown] = useState<{ conversation: Conversation; messageId: Id | undefined }>();
  useEffect(() => {
    if (messageId !== undefined) conversation.seek(messageId);
    setShown({ conversation, messageId });
  }, [conversation, messageId, arrival]);
  const sought = conversation.place.sought.value;
  const isShown = shown?.conversation === conversation && shown.messageId === messageId;
  const isLeft = messageId !== undefined && isShown && sought !== messageId;
  useEffect(() => {
    if (!isLeft) return;
    const path = webPath('channel', { slug, channel_id: channelId });
    navigation.goTo(navigation.urlOf(path), { isReplacing: true });
  }, [navigation, isLeft, slug, channelId]);
}
