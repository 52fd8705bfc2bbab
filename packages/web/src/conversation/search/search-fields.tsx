import { useId, useState } from 'preact/hooks';
import { useText } from '../../text/use-text.ts';
import { ChevronIcon } from '../../ui/icons.tsx';
import { useConversation } from '../use-conversation.ts';
import type { MessageSearch, SearchFields } from './message-search.ts';

const HAS = ['', 'file', 'picture', 'link'] as const;

interface FieldsProps {
  readonly search: MessageSearch;
}

/** What is looked for. A narrow page folds all but the words until a button is pressed. */
export function SearchFieldsView({ search }: FieldsProps) {
  const { search: words } = useText().reading;
  const id = useId();
  const { text, ...filters } = search.fields.value;
  const count = Object.values(filters).filter((value) => value.trim() !== '').length;
  const [isUnfolded, setIsUnfolded] = useState(count > 0);
  return (
    <>
      <div class="search-words">
        <input
          type="search"
          class="text-field search-text"
          aria-label={words.text}
          placeholder={words.text}
          autocomplete="off"
          autofocus
          maxLength={200}
          value={text}
          onInput={(event) => search.change({ text: event.currentTarget.value })}
        />
        <button
          type="button"
          class="button search-fold"
          aria-expanded={isUnfolded}
          aria-controls={id}
          onClick={() => setIsUnfolded(!isUnfolded)}
        >
          {words.filters(count)}
          <ChevronIcon />
        </button>
      </div>
      <div id={id} class={isUnfolded ? 'search-filters' : 'search-filters search-filters-folded'}>
        <Where search={search} />
        <FromAndHas search={search} />
        <Days search={search} />
      </div>
    </>
  );
}

/** In a channel: whether its whole community is searched. */
function Where({ search }: FieldsProps) {
  const { search: words } = useText().reading;
  const { widerSearch } = useConversation();
  const id = useId();
  if (widerSearch === undefined) return null;
  return (
    <>
      <label for={id}>{words.where}</label>
      <select
        id={id}
        class="text-field search-where"
        value={search.fields.value.where}
        onChange={({ currentTarget: { value } }) =>
          search.change({ where: value === 'wider' ? value : '' })
        }
      >
        <option value="">{words.here}</option>
        <option value="wider">{words.wider(widerSearch.name())}</option>
      </select>
    </>
  );
}

function FromAndHas({ search }: FieldsProps) {
  const { search: words } = useText().reading;
  const id = useId();
  const { from, has } = search.fields.value;
  return (
    <>
      <label for={`${id}-from`}>{words.from}</label>
      <input
        id={`${id}-from`}
        class="text-field"
        autocomplete="off"
        placeholder={words.anyone}
        value={from}
        onInput={(event) => search.change({ from: event.currentTarget.value })}
      />
      <label for={`${id}-has`}>{words.has}</label>
      <select
        id={`${id}-has`}
        class="text-field"
        value={has}
        onChange={(event) => search.change({ has: hasOf(event.currentTarget.value) })}
      >
        {HAS.map((each) => (
          <option key={each} value={each}>
            {words.hasValues[each === '' ? 'anything' : each]}
          </option>
        ))}
      </select>
    </>
  );
}

function Days({ search }: FieldsProps) {
  const { search: words } = useText().reading;
  const id = useId();
  const { since, until } = search.fields.value;
  return (
    <>
      <label for={`${id}-since`}>{words.since}</label>
      <input
        id={`${id}-since`}
        type="date"
        class="text-field"
        value={since}
        onChange={(event) => search.change({ since: event.currentTarget.value })}
      />
      <label for={`${id}-until`}>{words.until}</label>
      <input
        id={`${id}-until`}
        type="date"
        class="text-field"
        value={until}
        onChange={(event) => search.change({ until: event.currentTarget.value })}
      />
    </>
  );
}

function hasOf(value: string): SearchFields['has'] {
  return HAS.find((each) => each === value) ?? '';
}
