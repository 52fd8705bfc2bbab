import type { UserSummary } from '@hearth/protocol';
import { useText } from '../../text/use-text.ts';
import { personNow } from '../../user/people-now.ts';
import { ReplyIcon } from '../../ui/action-icons.tsx';
import { nameColour, nameOfWriter } from '../author.ts';
import type { ShownQuote } from '../reply-target.ts';
import { useConversation } from '../use-conversation.ts';

interface QuoteProps {
  readonly quote: ShownQuote;
  /** The writer of the message, if the instance says who that is. */
  readonly user?: UserSummary | undefined;
}

/** The message that a reply is about, in one line; a link that leads to it. */
export function QuoteLine({ quote, user }: QuoteProps) {
  const { reading: words } = useText();
  const conversation = useConversation();
  const { author, excerpt, id, url } = quote;
  const known = user ?? conversation.writerOf(quote);
  const name = nameOfWriter({ user: known && personNow(known), author });
  const parts = (
    <>
      <ReplyIcon />
      <span class="visually-hidden">{words.quoteOf(name)}: </span>
      <bdi class={`quote-author ${nameColour(author)}`} aria-hidden="true">
        {name}
      </bdi>
      <span class="quote-excerpt" dir="auto">
        {excerpt}
      </span>
    </>
  );
  if (id === undefined || url === undefined) return <p class="quote-line">{parts}</p>;
  return (
    <a class="quote-line" href={url}>
      {parts}
    </a>
  );
}
