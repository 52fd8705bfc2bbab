import type { RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Id, Poll } from '@hearth/protocol';
import { useFormats } from '../../text/use-text.ts';
import { CheckIcon } from '../../ui/icons.tsx';
import { usePosts } from '../use-posts.ts';
import { usePostText } from '../use-post-text.ts';
import { hasResult } from './poll-ends.ts';
import type { PostContext } from './post-context.ts';

interface PollProps extends Pick<PostContext, 'post' | 'rights'> {
  readonly poll: Poll;
}

/** A poll: its options until the reader has voted, then what others chose. */
export function PollView({ poll, post, rights }: PollProps) {
  const words = usePostText();
  const formats = useFormats();
  const { pollEnds } = usePosts();
  const [isChanging, setIsChanging] = useState(false);
  const hasEnded = pollEnds.hasEnded(post.id, poll);
  const hasVoted = poll.my_votes !== undefined && poll.my_votes.length > 0;
  const mayVote = rights.vote && !hasEnded && post.locked !== true;
  const hasResults = hasResult(poll);
  const { id } = post;
  const { ends_at: endsAt } = poll;
  useEffect(() => pollEnds.watch(id, endsAt, hasResults), [pollEnds, id, endsAt, hasResults]);
  const isForm = mayVote && (!hasVoted || isChanging);
  const end = hasEnded ? words.poll.ended : words.poll.ends;
  return (
    <section class="poll" tabIndex={-1} aria-label={words.poll.title}>
      {isForm ? (
        <PollForm poll={poll} id={id} onDone={() => setIsChanging(false)} />
      ) : (
        <Results poll={poll} hasResults={hasResults} />
      )}
      <p class="hint poll-end">
        {hasResults && <Total poll={poll} />}
        <span role="status" title={formats.full(poll.ends_at)}>
          {end(formats.moment(poll.ends_at))}
        </span>
        {!isForm && mayVote && (
          <button type="button" class="text-button" onClick={() => setIsChanging(true)}>
            {words.poll.change}
          </button>
        )}
        {!isForm && !hasResults && <span>{hasEnded ? words.loading : words.poll.signIn}</span>}
      </p>
    </section>
  );
}

interface FormProps {
  readonly poll: Poll;
  readonly id: Id;
  readonly onDone: () => void;
}

function PollForm({ poll, id, onDone }: FormProps) {
  const words = usePostText();
  const posts = usePosts();
  const group = useId();
  const form = useRef<HTMLFormElement>(null);
  useFocusAtPoll(form);
  const mine = poll.my_votes ?? [];
  const [chosen, setChosen] = useState<readonly Id[]>(mine);
  const isMany = poll.multiple === true;
  const choose = (option: Id, isOn: boolean) => {
    if (!isMany) setChosen([option]);
    else setChosen(isOn ? [...chosen, option] : chosen.filter((each) => each !== option));
  };
  const send = async (options: readonly Id[]) => {
    await posts.changes.votePoll(id, options);
    onDone();
  };
  return (
    <form
      ref={form}
      class="poll-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send(chosen);
      }}
    >
      <fieldset>
        <legend class="visually-hidden">{words.poll.title}</legend>
        {poll.options.map((option) => (
          <label key={option.id} class="poll-option">
            <input
              type={isMany ? 'checkbox' : 'radio'}
              name={group}
              checked={chosen.includes(option.id)}
              onChange={({ currentTarget }) => choose(option.id, currentTarget.checked)}
            />
            <span dir="auto">{option.text}</span>
          </label>
        ))}
      </fieldset>
      {isMany && <p class="hint">{words.poll.several}</p>}
      <div class="poll-buttons">
        <button type="submit" class="button button-primary" disabled={chosen.length === 0}>
          {words.poll.vote}
        </button>
        {mine.length > 0 && (
          <button type="button" class="button" onClick={() => void send([])}>
            {words.poll.back}
          </button>
        )}
      </div>
    </form>
  );
}

/** The focus stays at the poll, in which the results take the place of the form. */
function useFocusAtPoll(form: RefObject<HTMLFormElement | null>): void {
  useLayoutEffect(
    () => () => {
      const { current } = form;
      if (current?.contains(document.activeElement) !== true) return;
      current.closest<HTMLElement>('.poll')?.focus({ preventScroll: true });
    },
    [form],
  );
}

function Results({ poll, hasResults }: { readonly poll: Poll; readonly hasResults: boolean }) {
  const words = usePostText();
  const formats = useFormats();
  const total = totalOf(poll);
  const most = Math.max(0, ...poll.options.map(({ votes = 0 }) => votes));
  return (
    <ul class="poll-results">
      {poll.options.map(({ id, text, votes = 0 }) => {
        const share = total === 0 ? 0 : votes / total;
        const percent = new Intl.NumberFormat(formats.locale, { style: 'percent' }).format(share);
        const isMine = poll.my_votes?.includes(id) === true;
        return (
          <li
            key={id}
            class="poll-result"
            data-first={(hasResults && votes > 0 && votes === most) || undefined}
            style={{ '--share': `${share * 100}%` }}
          >
            <span class="poll-text" dir="auto">
              {text}
              {isMine && (
                <span class="poll-mine">
                  <CheckIcon />
                  <span class="visually-hidden">{words.poll.mine}</span>
                </span>
              )}
            </span>
            {hasResults && (
              <span class="poll-share" title={words.poll.results(votes, formats.count(votes))}>
                {percent}
                <span class="visually-hidden">
                  , {words.poll.results(votes, formats.count(votes))}
                </span>
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Total({ poll }: { readonly poll: Poll }) {
  const words = usePostText();
  const formats = useFormats();
  const total = totalOf(poll);
  return <span>{words.poll.results(total, formats.count(total))}</span>;
}

function totalOf({ options }: Poll): number {
  return options.reduce((sum, { votes = 0 }) => sum + votes, 0);
}
