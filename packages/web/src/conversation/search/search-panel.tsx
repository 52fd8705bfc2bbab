import type { TargetedKeyboardEvent, TargetedSubmitEvent } from 'preact';
import { useEffect } from 'preact/hooks';
import { describeError } from '../describe-error.ts';
import type { Conversation } from '../conversation.ts';
import { useFormats, useText } from '../../text/use-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useCovers } from '../../ui/use-covers.ts';
import { ConversationProvider } from '../use-conversation.ts';
import { MessageSearch } from './message-search.ts';
import { SearchFieldsView } from './search-fields.tsx';
import { SearchHit } from './search-hit.tsx';

interface SearchPanelProps {
  readonly conversation: Conversation;
  readonly onClose: () => void;
}

/** A panel that is opened again shows what was found before. */
const searches = new WeakMap<Conversation, MessageSearch>();

function searchOf(conversation: Conversation): MessageSearch {
  const known = searches.get(conversation);
  if (known !== undefined) return known;
  const search = new MessageSearch(
    conversation.source,
    conversation.clock,
    conversation.widerSearch,
  );
  searches.set(conversation, search);
  return search;
}

/** Searches the messages of a conversation. Loaded on use. */
export function SearchPanel({ conversation, onClose }: SearchPanelProps) {
  const covers = useCovers();
  const { search: words } = useText().reading;
  useEffect(() => covers.cover(onClose), [covers, onClose]);
  const search = searchOf(conversation);
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void search.search();
  };
  return (
    <ConversationProvider value={conversation}>
      <Dialog title={words.title} onClose={onClose}>
        <form class="search" role="search" onSubmit={onSubmit} onKeyDown={moveByArrows}>
          <SearchFieldsView search={search} />
          <SearchOutcome search={search} />
          <ol class="search-hits">
            {search.found.value.map((message) => (
              <SearchHit key={message.id} message={message} text={search.fields.value.text} />
            ))}
          </ol>
          <SearchMore search={search} />
        </form>
      </Dialog>
    </ConversationProvider>
  );
}

/** How far the search is, or why it failed. */
function SearchOutcome({ search }: { readonly search: MessageSearch }) {
  const text = useText();
  const formats = useFormats();
  const { search: words } = text.reading;
  const state = search.state.value;
  const count = search.found.value.length;
  const isMore = state.state === 'done' && state.isMore;
  const shown = `${formats.count(count)}${isMore ? '+' : ''}`;
  return (
    <div class="search-outcome" role="status">
      {state.state === 'idle' && words.hint}
      {state.state === 'searching' && words.searching}
      {state.state === 'done' && count === 0 && !isMore && words.nothing}
      {state.state === 'done' && (count > 0 || isMore) && words.found(count, shown)}
      {state.state === 'failed' && (
        <span class="problem">{describeError(state.error, text, formats)}</span>
      )}
    </div>
  );
}

function SearchMore({ search }: { readonly search: MessageSearch }) {
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

/** Arrows move from the field of the words to the hits, and from hit to hit. */
function moveByArrows(event: TargetedKeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event;
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
  if (!(target instanceof Element) || !target.matches('.search-text, .search-hit')) return;
  const stops = Array.from(
    currentTarget.querySelectorAll<HTMLElement>('.search-text, .search-hit'),
  );
  const next = stops[stops.findIndex((stop) => stop === target) + (key === 'ArrowDown' ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
