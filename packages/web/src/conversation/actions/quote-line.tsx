import { useText } from '../../text/use-text.ts';
import { ReplyIcon } from '../../ui/action-icons.tsx';
import { nameColour, shownName } from '../author.ts';
import type { ShownQuote } from '../reply-target.ts';

/** The message that a reply is about, in one line; a link that leads to it. */
export function QuoteLine({ quote }: { readonly quote: ShownQuote }) {
  const { reading: words } = useText();
  const { author, excerpt, id, url } = quote;
  const name = shownName(author);
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
