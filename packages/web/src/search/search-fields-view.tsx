import type { ComponentChildren, Ref } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { SearchedKind } from '@hearth/protocol';
import { useText } from '../text/use-text.ts';
import { Choice } from '../ui/choice.tsx';
import { ChevronIcon } from '../ui/icons.tsx';
import { contentsOf, filtersIn, hasOf, type SearchFields } from './search-fields.ts';

/** The things for which a search can be. */
export interface SearchScope {
  readonly kinds: readonly SearchedKind[];
  /** The place that is searched besides the place itself, for the reader; undefined if there is none. */
  readonly wider: string | undefined;
  /** The kinds of things in the place itself. */
  readonly here: readonly SearchedKind[];
}

interface FieldsProps {
  readonly fields: SearchFields;
  readonly scope: SearchScope;
  readonly onChange: (fields: Partial<SearchFields>) => void;
}

interface ViewProps extends FieldsProps {
  readonly input?: Ref<HTMLInputElement>;
  /** True if the words get the focus at once. */
  readonly hasFocus?: boolean;
  /** After the words. */
  readonly children?: ComponentChildren;
}

/** The fields for what is looked for. A narrow page folds all but the words and the kind until a button is pressed. */
export function SearchFieldsView({
  input = null,
  hasFocus = false,
  children,
  ...props
}: ViewProps) {
  const { search: words } = useText().reading;
  const { fields, scope, onChange } = props;
  const id = useId();
  const count = filtersIn(fields);
  const [isUnfolded, setIsUnfolded] = useState(count > 0);
  return (
    <>
      <div class="search-words">
        <input
          dir="auto"
          ref={input}
          type="search"
          class="text-field search-text"
          aria-label={words.text}
          placeholder={words.text}
          autocomplete="off"
          autofocus={hasFocus}
          maxLength={200}
          value={fields.text}
          onInput={(event) => onChange({ text: event.currentTarget.value })}
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
        {children}
      </div>
      {scope.kinds.length > 1 && (
        <Choice
          label={words.what}
          hidesLabel
          values={scope.kinds}
          names={words.kinds}
          value={fields.kind}
          onChange={(kind) => onChange({ kind })}
        />
      )}
      <div id={id} class={isUnfolded ? 'search-filters' : 'search-filters search-filters-folded'}>
        <Where {...props} />
        <FromAndHas {...props} />
        <Days {...props} />
      </div>
    </>
  );
}

/** In a channel: whether its whole community is searched. There is no choice if the channel has nothing of the kind. */
function Where({ fields, scope, onChange }: FieldsProps) {
  const { search: words } = useText().reading;
  const id = useId();
  if (scope.wider === undefined) return null;
  const hasHere = scope.here.includes(fields.kind);
  return (
    <>
      <label for={id}>{words.where}</label>
      <select
        id={id}
        class="text-field search-where"
        value={hasHere ? fields.where : 'wider'}
        onChange={({ currentTarget: { value } }) =>
          onChange({ where: value === 'wider' ? value : '' })
        }
      >
        {hasHere && <option value="">{words.here}</option>}
        <option value="wider">{words.wider(scope.wider)}</option>
      </select>
    </>
  );
}

function FromAndHas({ fields, onChange }: FieldsProps) {
  const { search: words } = useText().reading;
  const id = useId();
  const contents = contentsOf(fields.kind);
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
        value={hasOf(fields)}
        onChange={({ currentTarget: { value } }) =>
          onChange({ has: contents.find((each) => each === value) ?? '' })
        }
      >
        {contents.map((each) => (
          <option key={each} value={each}>
            {words.hasValues[each === '' ? 'anything' : each]}
          </option>
        ))}
      </select>
    </>
  );
}

function Days({ fields, onChange }: FieldsProps) {
  const { search: words } = useText().reading;
  const id = useId();
  return (
    <>
      <label for={`${id}-since`}>{words.since}</label>
      <input
        id={`${id}-since`}
        type="date"
        class="text-field"
        value={fields.since}
        onChange={(event) => onChange({ since: event.currentTarget.value })}
      />
      <label for={`${id}-until`}>{words.until}</label>
      <input
        id={`${id}-until`}
        type="date"
        class="text-field"
        value={fields.until}
        onChange={(event) => onChange({ until: event.currentTarget.value })}
      />
    </>
  );
}
