import { useFormats } from '../../text/use-text.ts';
import type { Marks } from '../marks.ts';
import { useCommunityText } from '../use-community-text.ts';

/** Above that, a count is shown as "99+". */
const MOST_SHOWN = 99;

interface MarkProps {
  readonly marks: Marks;
  readonly isMuted?: boolean;
}

/** Shows what is new in a place, within its link: a count of mentions, or a word for screen readers. */
export function Mark({ marks: { isUnread, mentions }, isMuted = false }: MarkProps) {
  const { frame: words } = useCommunityText();
  const formats = useFormats();
  const shown = mentions > MOST_SHOWN ? `${MOST_SHOWN}+` : formats.count(mentions);
  if (mentions > 0) {
    return (
      <>
        <span class="mention-mark" aria-hidden="true">
          {shown}
        </span>
        <span class="visually-hidden">{`, ${words.mentions(mentions, shown)}`}</span>
      </>
    );
  }
  if (isUnread) return <span class="visually-hidden">{`, ${words.unread}`}</span>;
  return isMuted ? <span class="visually-hidden">{`, ${words.muted}`}</span> : null;
}
