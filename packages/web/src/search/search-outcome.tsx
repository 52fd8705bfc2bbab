import type { SearchedKind } from '@hearth/protocol';
import { describeError } from '../conversation/describe-error.ts';
import { useFormats, useText } from '../text/use-text.ts';
import type { Search } from './search.ts';

interface OutcomeProps {
  readonly search: Search;
}

/** Shows how far a search is, or why it failed. */
export function SearchOutcome({ search }: OutcomeProps) {
  const text = useText();
  const formats = useFormats();
  const { search: words } = text.reading;
  const state = search.state.value;
  const { kind } = search.fields.value;
  const count = search.found.value.length;
  return (
    <div class="search-outcome" role="status">
      {state.state === 'idle' && words.hint}
      {state.state === 'searching' && words.searching}
      {state.state === 'done' && <FoundCount kind={kind} count={count} isMore={state.isMore} />}
      {state.state === 'failed' && (
        <span class="problem">{describeError(state.error, text, formats)}</span>
      )}
    </div>
  );
}

interface CountProps {
  readonly kind: SearchedKind;
  readonly count: number;
  /** True if there are more, which were not read yet. */
  readonly isMore: boolean;
}

/** Shows how many were found. */
export function FoundCount({ kind, count, isMore }: CountProps) {
  const formats = useFormats();
  const { search: words } = useText().reading;
  if (count === 0 && !isMore) return <>{words.nothing}</>;
  return <>{words.found[kind](count, `${formats.count(count)}${isMore ? '+' : ''}`)}</>;
}

/** Asks for older ones, or again for what failed. */
export function SearchMore({ search }: OutcomeProps) {
  const text = useText();
  const state = search.state.value;
  const isMore = state.state === 'done' && state.isMore;
  if (!isMore && state.state !== 'failed') return null;
  return (
    <button type="button" class="button search-more" onClick={() => void search.more()}>
      {isMore ? text.reading.search.more : text.conversation.tryAgain}
    </button>
  );
}
