import { useId } from 'preact/hooks';
import type { SearchFields } from './search-fields.ts';
import { useSearchText } from './use-search-text.ts';

const CONTENTS = ['', 'file', 'picture', 'link'] as const;

interface FiltersProps {
  readonly fields: SearchFields;
  readonly onChange: (fields: Partial<SearchFields>) => void;
}

/** The fields that narrow a search by a name, a kind of content and days. */
export function SearchFilters({ fields, onChange }: FiltersProps) {
  const words = useSearchText();
  const id = useId();
  return (
    <>
      <label for={`${id}-from`}>{words.from}</label>
      <input
        dir="auto"
        id={`${id}-from`}
        class="text-field"
        autocomplete="off"
        placeholder={words.anyone}
        value={fields.from}
        onInput={(event) => onChange({ from: event.currentTarget.value })}
      />
      <label for={`${id}-has`}>{words.has}</label>
      <select
        id={`${id}-has`}
        class="text-field"
        value={fields.has}
        onChange={({ currentTarget: { value } }) =>
          onChange({ has: CONTENTS.find((each) => each === value) ?? '' })
        }
      >
        {CONTENTS.map((each) => (
          <option key={each} value={each}>
            {words.hasValues[each === '' ? 'anything' : each]}
          </option>
        ))}
      </select>
      {(['since', 'until'] as const).map((day) => [
        <label key={`${day}-label`} for={`${id}-${day}`}>
          {words[day]}
        </label>,
        <input
          key={day}
          id={`${id}-${day}`}
          type="date"
          class="text-field"
          value={fields[day]}
          onChange={(event) => onChange({ [day]: event.currentTarget.value })}
        />,
      ])}
    </>
  );
}
