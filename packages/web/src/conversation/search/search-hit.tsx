import { highlights } from '@hearth/sdk';
import type { Found } from '../../search/found.ts';
import { FoundHit } from '../../search/found-hit.tsx';
import { useAttachments } from '../attachments/use-attachments.ts';
import { messageUrl } from '../message-url.ts';
import { quoteIn } from '../reply-target.ts';
import { useConversation } from '../use-conversation.ts';

interface SearchHitProps {
  readonly found: Found;
  /** The words that were looked for. */
  readonly query: string;
}

/** Shows what the search of a conversation has found: a link to its place there, or elsewhere. */
export function SearchHit({ found, query }: SearchHitProps) {
  const conversation = useConversation();
  const attachments = useAttachments();
  const { id, content, foundIn } = found;
  const url = foundIn?.url ?? messageUrl(conversation, id);
  // What was found may be in the quote.
  const own = quoteIn(conversation, content)?.text ?? content;
  const isInOwn = highlights(own, query).length > 0 || highlights(content, query).length === 0;
  const { text } = attachments.split(isInOwn ? own : content);
  return <FoundHit found={found} url={url} content={text} query={query} />;
}
