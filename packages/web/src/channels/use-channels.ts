import { useConversationParts } from '../conversation/use-conversation-parts.ts';
import { useCommunities } from '../communities/use-communities.ts';
import type { ConversationParts } from '../conversation/conversation.ts';
import { Channels } from './channels.ts';

const KNOWN = new WeakMap<ConversationParts, Channels>();

/** Returns the shown channels: made when the first one is, and then the same. */
export function useChannels(): Channels {
  const parts = useConversationParts();
  const { own } = useCommunities();
  const known = KNOWN.get(parts);
  if (known !== undefined) return known;
  const channels = new Channels(parts, own);
  KNOWN.set(parts, channels);
  channels.followPage();
  return channels;
}
