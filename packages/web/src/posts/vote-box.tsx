import type { Votable } from './votes.ts';
import type { VoteValue } from './post-source.ts';
import { useFormats } from '../text/use-text.ts';
import { DownIcon, UpIcon } from './icons.tsx';
import { shortCount } from './short-values.ts';
import { usePostText } from './use-post-text.ts';

interface VoteProps {
  readonly subject: Votable;
  readonly mayVote: boolean;
  readonly hasDownvotes: boolean;
  readonly onVote: (value: VoteValue) => void;
}

/** The score of a post or comment, between the buttons that vote. */
export function VoteBox({ subject, mayVote, hasDownvotes, onVote }: VoteProps) {
  const words = usePostText();
  const { my_vote: mine } = subject;
  const button = (value: 1 | -1, label: string) => (
    <button
      type="button"
      class="vote"
      data-vote={value}
      aria-label={label}
      aria-pressed={mine === value}
      title={label}
      disabled={!mayVote}
      onClick={() => onVote(mine === value ? 0 : value)}
    >
      {value === 1 ? <UpIcon /> : <DownIcon />}
    </button>
  );
  return (
    <div class="votes" data-mine={mine}>
      {button(1, words.voteUp)}
      <Score subject={subject} />
      {hasDownvotes && button(-1, words.voteDown)}
    </div>
  );
}

/** The score, or that it is hidden and until when. */
function Score({ subject }: Pick<VoteProps, 'subject'>) {
  const words = usePostText();
  const formats = useFormats();
  const { score, upvotes, downvotes, scores_hidden_until: until } = subject;
  if (score === undefined) {
    const why = until === undefined ? words.hidden : words.hiddenUntil(formats.moment(until));
    return (
      <span class="score score-hidden" title={why}>
        <span aria-hidden="true">–</span>
        <span class="visually-hidden">{why}</span>
      </span>
    );
  }
  const totals = words.totals(formats.count(upvotes ?? 0), formats.count(downvotes ?? 0));
  return (
    <span class="score" title={totals}>
      <span aria-hidden="true">{shortCount(formats.locale, score)}</span>
      <span class="visually-hidden">{words.votes(formats.count(score))}</span>
    </span>
  );
}
