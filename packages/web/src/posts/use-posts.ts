import { useAccounts } from '../account/use-accounts.ts';
import type { ConversationParts } from '../conversation/conversation.ts';
import { useConversationParts } from '../conversation/use-conversation-parts.ts';
import { useCommunities } from '../communities/use-communities.ts';
import { Posts } from './posts.ts';
import { sdkSource } from './sdk-source.ts';

const KNOWN = new WeakMap<ConversationParts, Posts>();

/** The posts: made when the first one is shown, and then the same. */
export function usePosts(): Posts {
  const parts = useConversationParts();
  const { failure } = useCommunities();
  const known = KNOWN.get(parts);
  if (known !== undefined) return known;
  const posts = new Posts({
    source: sdkSource(parts.client),
    clock: parts.clock,
    owner: parts.owner,
    fail: (error) => {
      failure.value = error;
    },
    nonce: () => crypto.randomUUID(),
    lastRead: (channel) => parts.client.channel(channel).readState.last_read_id,
  });
  KNOWN.set(parts, posts);
  return posts;
}

/** The account that reads; undefined for a visitor. */
export function useOwner() {
  return useAccounts().current.value?.id;
}
