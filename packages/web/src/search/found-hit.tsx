import type { ComponentChildren } from 'preact';
import { nameColour, nameOfWriter } from '../conversation/author.ts';
import { StandingMark, standingOf } from '../conversation/standing-mark.tsx';
import { useFormats, useText } from '../text/use-text.ts';
import { useToday } from '../ui/use-today.ts';
import type { Found } from './found.ts';
import { Marked, MarkedExcerpt } from './marked.tsx';

interface HitProps {
  readonly found: Found;
  /** Its address. */
  readonly url: string;
  /** The part of it that is shown. */
  readonly content: string;
  /** The words that were looked for. */
  readonly query: string;
}

/** Shows what was found: a link to it. */
export function FoundHit({ found, url, content, query }: HitProps) {
  const { search: words } = useText().reading;
  const { title, on } = found.foundIn ?? {};
  const isPost = title !== undefined;
  return (
    <li>
      <a class="search-hit" href={url}>
        <HitHead found={found} />
        {isPost && (
          <Line kind="title">
            <Marked text={title} query={query} />
          </Line>
        )}
        {on !== undefined && <Line kind="on">{words.on(on)}</Line>}
        {(content !== '' || !isPost) && (
          <Line kind="text">
            {content === '' ? words.aFile : <MarkedExcerpt text={content} query={query} />}
          </Line>
        )}
      </a>
    </li>
  );
}

function HitHead({ found }: { readonly found: Found }) {
  const formats = useFormats();
  const today = useToday();
  const { author, user, created_at: createdAtMs, foundIn } = found;
  return (
    <span class="search-hit-head">
      <bdi class={`message-author ${nameColour(author)}`}>{nameOfWriter(found)}</bdi>
      <StandingMark standing={standingOf(user)} />
      {foundIn !== undefined && <bdi class="search-hit-place">{foundIn.name}</bdi>}
      <time class="message-time" dateTime={new Date(createdAtMs).toISOString()}>
        {formats.day(createdAtMs, today)}, {formats.time(createdAtMs)}
      </time>
    </span>
  );
}

interface LineProps {
  readonly kind: 'title' | 'on' | 'text';
  readonly children: ComponentChildren;
}

function Line({ kind, children }: LineProps) {
  return (
    <span class={`search-hit-${kind}`} dir="auto">
      {children}
    </span>
  );
}
