import type { ShownPart } from './reading/place.ts';
import { useConversation } from './use-conversation.ts';

/** The messages that the list shows. */
export function useShownPart(): ShownPart {
  return useConversation().place.part.value;
}
