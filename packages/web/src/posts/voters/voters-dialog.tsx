import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Totals, Vote } from '@hearth/protocol';
import { MoreButton } from '../../communities/more-button.tsx';
import { Loaded } from '../../conversation/loaded.tsx';
import { useFormats } from '../../text/use-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Author, When } from '../by-line.tsx';
import { nameOfPerson } from '../../conversation/author.ts';
import { DownIcon, UpIcon } from '../icons.tsx';
import type { VotedOn } from '../post-source.ts';
import { usePosts } from '../use-posts.ts';
import { usePostText } from '../use-post-text.ts';

/** Which votes are shown. */
type Which = 'all' | 'up' | 'down';

const VALUES = { up: 1, down: -1 } as const;

interface VotersProps {
  readonly on: VotedOn;
  readonly totals: Totals;
  readonly onClose: () => void;
}

/** Shows who voted for a post or comment, and how. */
export function VotersDialog({ on: { kind, id }, totals, onClose }: VotersProps) {
  const { voters: words } = usePostText();
  const posts = usePosts();
  const list = useMemo(() => posts.voters({ kind, id }), [posts, kind, id]);
  useEffect(() => void list.load(), [list]);
  const [which, setWhich] = useState<Which>('all');
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p class="hint">{words.noted}</p>
      <WhichVotes which={which} totals={totals} onChoose={setWhich} />
      <Loaded asked={list.asked.value} onRetry={() => void list.load()}>
        {({ entries, next }) => (
          <Voters votes={entries} which={which} isWhole={next === undefined} />
        )}
      </Loaded>
      <MoreButton list={list} label={words.more} />
    </Dialog>
  );
}

interface WhichProps extends Pick<VotersProps, 'totals'> {
  readonly which: Which;
  readonly onChoose: (which: Which) => void;
}

function WhichVotes({ which, totals: { upvotes, downvotes }, onChoose }: WhichProps) {
  const { voters: words } = usePostText();
  const formats = useFormats();
  const counts = { all: undefined, up: upvotes, down: downvotes };
  return (
    <div class="user-tabs" role="group" aria-label={words.which}>
      {(['all', 'up', 'down'] as const).map((each) => (
        <button
          key={each}
          type="button"
          class="user-tab voters-tab"
          data-which={each}
          aria-pressed={which === each}
          onClick={() => onChoose(each)}
        >
          {each === 'up' && <UpIcon />}
          {each === 'down' && <DownIcon />}
          {words.kinds[each]}
          {counts[each] !== undefined && <span>{formats.count(counts[each])}</span>}
        </button>
      ))}
    </div>
  );
}

interface ShownProps {
  readonly votes: readonly Vote[];
  readonly which: Which;
  /** True if all votes are there. */
  readonly isWhole: boolean;
}

function Voters({ votes, which, isWhole }: ShownProps) {
  const { voters: words } = usePostText();
  const formats = useFormats();
  const shown = which === 'all' ? votes : votes.filter(({ value }) => value === VALUES[which]);
  return (
    <>
      <p class={shown.length === 0 ? 'hint' : 'visually-hidden'} role="status">
        {shown.length === 0
          ? words.none[isWhole ? which : 'soFar']
          : words.shown(shown.length, formats.count(shown.length))}
      </p>
      {shown.length > 0 && (
        <ul class="voters">
          {shown.map((vote) => (
            <Voter key={vote.user.id} vote={vote} />
          ))}
        </ul>
      )}
    </>
  );
}

function Voter({ vote: { user, value, cast_at: castAt } }: { readonly vote: Vote }) {
  const { voters: words } = usePostText();
  const label = value === 1 ? words.up : words.down;
  return (
    <li class="voter" data-vote={value}>
      <span class="voter-who">
        <Author user={user} />
        {nameOfPerson(user) !== user.username && <span class="hint">@{user.username}</span>}
      </span>
      <When at={castAt} />
      <span class="voter-vote" title={label}>
        {value === 1 ? <UpIcon /> : <DownIcon />}
        <span class="visually-hidden">{label}</span>
      </span>
    </li>
  );
}
