import { MarkdownCache, type MessageText } from '@hearth/markdown';
import type { ConversationParts } from '../conversation.ts';
import { useConversationParts } from '../use-conversation-parts.ts';

const KNOWN = new WeakMap<ConversationParts, MarkdownCache>();

/** The parsed texts of messages, posts and comments: each is parsed once while it is among those that were shown last. */
export function useMarkdownCache(): MarkdownCache {
  const parts = useConversationParts();
  const known = KNOWN.get(parts);
  if (known !== undefined) return known;
  const cache = new MarkdownCache();
  KNOWN.set(parts, cache);
  return cache;
}

/** A text, parsed. */
export function useMarkdown(content: string): MessageText {
  return useMarkdownCache().get(content);
}
