import { describeError } from '../conversation/describe-error.ts';
import { useFormats, useText } from '../text/use-text.ts';
import type { Search } from './search.ts';

interface OutcomeProps {
  readonly search: Search;
}

/** How far a search is, or why it failed. */
export function SearchOutcome({ search }: OutcomeProps) {
  const text = useText();
  const formats = useFormats();
  const { search: words } = text.reading;
  const state = search.state.value;
  const { kind } = search.fields.value;
  const count = search.found.value.length;
  const isMore = state.state === 'done' && state.isMore;
  const shown = `${formats.count(count)}${isMore ? '+' : ''}`;
  return (
    <div class="search-outcome" role="status">
      {state.state === 'idle' && words.hint}
      {state.state === 'searching' && words.searching}
      {state.state === 'done' && count === 0 && !isMore && words.nothing}
      {state.state === 'done' && (count > 0 || isMore) && words.found[kind](count, shown)}
      {state.state === 'failed' && (
        <span class="problem">{describeError(state.error, text, formats)}</span>
      )}
    </div>
  );
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
