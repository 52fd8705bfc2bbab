import type { TargetedSubmitEvent } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Conversation } from '../conversation.ts';
import { useText } from '../../text/use-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useCovers } from '../../ui/use-covers.ts';
import { ConversationProvider } from '../use-conversation.ts';
import { moveByArrows } from '../../search/move-by-arrows.ts';
import { SearchFieldsView, type SearchScope } from '../../search/search-fields-view.tsx';
import { SearchMore, SearchOutcome } from '../../search/search-outcome.tsx';
import { Search } from '../../search/search.ts';
import { SearchHit } from './search-hit.tsx';
import { ownKeys } from '../../ui/own-keys.ts';

interface SearchPanelProps {
  readonly conversation: Conversation;
  readonly onClose: () => void;
}

/** A panel that is opened again shows what was found before. */
const searches = new WeakMap<Conversation, Search>();

function searchOf(conversation: Conversation): Search {
  const known = searches.get(conversation);
  if (known !== undefined) return known;
  const search = new Search(conversation.source, conversation.clock, conversation.widerSearch);
  searches.set(conversation, search);
  return search;
}

/** Searches a conversation, or all that is written in its community. Loaded on use. */
export function SearchPanel({ conversation, onClose }: SearchPanelProps) {
  const covers = useCovers();
  const { search: words } = useText().reading;
  useEffect(() => covers.cover(onClose), [covers, onClose]);
  const search = searchOf(conversation);
  const fields = search.fields.value;
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void search.search();
  };
  return (
    <ConversationProvider value={conversation}>
      <Dialog title={words.title} onClose={onClose}>
        <form class="search" role="search" onSubmit={onSubmit} onKeyDown={ownKeys(moveByArrows)}>
          <SearchFieldsView
            fields={fields}
            scope={scopeOf(conversation)}
            hasFocus
            onChange={(changed) => search.change(changed)}
          />
          <SearchOutcome search={search} />
          <ol class="search-hits">
            {search.found.value.map((found) => (
              <SearchHit key={found.id} found={found} query={fields.text} />
            ))}
          </ol>
          <SearchMore search={search} />
        </form>
      </Dialog>
    </ConversationProvider>
  );
}

function scopeOf({ widerSearch }: Conversation): SearchScope {
  return {
    kinds: widerSearch?.kinds() ?? ['messages'],
    wider: widerSearch?.name(),
    here: ['messages'],
  };
}
