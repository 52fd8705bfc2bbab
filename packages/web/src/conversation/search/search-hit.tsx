import { highlights } from '@hearth/sdk';
import { useFormats, useText } from '../../text/use-text.ts';
import { useToday } from '../../ui/use-today.ts';
import { useAttachments } from '../attachments/use-attachments.ts';
import { nameColour, shownName } from '../author.ts';
import { messageUrl } from '../message-url.ts';
import { quoteIn } from '../reply-target.ts';
import { StandingMark, standingOf } from '../standing-mark.tsx';
import { useConversation } from '../use-conversation.ts';
import { excerptOf, searchedText } from './excerpt.ts';
import type { FoundMessage } from './wider-search.ts';

interface SearchHitProps {
  readonly message: FoundMessage;
  /** What was looked for. */
  readonly text: string;
}

/** A message that was found: a link to its place in the conversation. */
export function SearchHit({ message, text }: SearchHitProps) {
  const conversation = useConversation();
  const attachments = useAttachments();
  const { search: words } = useText().reading;
  const formats = useFormats();
  const today = useToday();
  const { id, author, content, user, created_at: createdAtMs, foundIn } = message;
  // What was found may be in the quote.
  const own = quoteIn(conversation, content)?.text ?? content;
  const isInOwn = highlights(own, text).length > 0 || highlights(content, text).length === 0;
  const shown = searchedText(attachments.split(isInOwn ? own : content).text, text);
  const parts = excerptOf(shown, highlights(shown, text));
  return (
    <li>
      <a class="search-hit" href={foundIn?.url ?? messageUrl(conversation, id)}>
        <span class="search-hit-head">
          <bdi class={`message-author ${nameColour(author)}`}>{shownName(author)}</bdi>
          <StandingMark standing={standingOf(user)} />
          {foundIn !== undefined && <bdi class="search-hit-place">{foundIn.name}</bdi>}
          <time class="message-time" dateTime={new Date(createdAtMs).toISOString()}>
            {formats.day(createdAtMs, today)}, {formats.time(createdAtMs)}
          </time>
        </span>
        <span class="search-hit-text" dir="auto">
          {parts.length === 0 && words.aFile}
          {parts.map(({ text: part, isMarked }, index) =>
            isMarked ? <mark key={index}>{part}</mark> : part,
          )}
        </span>
      </a>
    </li>
  );
}
