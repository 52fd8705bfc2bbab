import { Avatar } from '../account/avatar.tsx';
import { useCommunityText } from '../communities/use-community-text.ts';
import { nameColour, nameOfWriter } from '../conversation/author.ts';
import { StandingMark, standingOf } from '../conversation/standing-mark.tsx';
import { ownPath } from '../lib/own-path.ts';
import { useFormats } from '../text/use-text.ts';
import { useToday } from '../ui/use-today.ts';
import { personNow } from '../user/people-now.ts';
import type { Hit } from './hit.ts';
import { Marked, MarkedExcerpt } from './marked.tsx';
import { useSearchText } from './use-search-text.ts';

interface HitProps {
  readonly hit: Hit;
  /** The words that were looked for. */
  readonly query: string;
  /** True if it may be of any community, whose name is shown then. */
  readonly isAnywhere: boolean;
}

/** Shows something that was found: a link to it. */
export function SearchHit({ hit, query, isAnywhere }: HitProps) {
  const words = useSearchText();
  const formats = useFormats();
  const today = useToday();
  const { author, kind, title, content, createdAtMs } = hit;
  const user = hit.user && personNow(hit.user);
  return (
    <li>
      <a class="search-hit" href={ownPath(hit.path)}>
        <Avatar name={author} picture={user?.avatar} />
        <span class="search-hit-body">
          <span class="search-hit-head">
            <bdi class={`message-author ${nameColour(author)}`}>
              {nameOfWriter({ user, author })}
            </bdi>
            <StandingMark standing={standingOf(user)} />
            <span class="search-hit-where">
              <What hit={hit} />
              <Where hit={hit} isAnywhere={isAnywhere} />
            </span>
            <time class="message-time" dateTime={new Date(createdAtMs).toISOString()}>
              {formats.day(createdAtMs, today)}, {formats.time(createdAtMs)}
            </time>
          </span>
          {kind === 'posts' && title !== undefined && (
            <span class="search-hit-title" dir="auto">
              <Marked text={title} query={query} />
            </span>
          )}
          {(content !== '' || kind === 'messages') && (
            <span class="search-hit-text" dir="auto">
              {content === '' ? words.aFile : <MarkedExcerpt text={content} query={query} />}
            </span>
          )}
        </span>
      </a>
    </li>
  );
}

function What({ hit: { kind, title } }: Pick<HitProps, 'hit'>) {
  const words = useSearchText();
  switch (kind) {
    case 'messages':
      return <span>{words.message}</span>;
    case 'posts':
      return <span>{words.post}</span>;
    case 'comments':
      return <span dir="auto">{title === undefined ? words.comment : words.on(title)}</span>;
  }
}

function Where({ hit: { channel, isInLobby }, isAnywhere }: Omit<HitProps, 'query'>) {
  const { frame } = useCommunityText();
  if (isInLobby) return <span>{frame.lobby}</span>;
  if (channel === undefined) return null;
  return (
    <>
      <bdi>#{channel.name}</bdi>
      {isAnywhere && <bdi>{channel.community.name}</bdi>}
    </>
  );
}
