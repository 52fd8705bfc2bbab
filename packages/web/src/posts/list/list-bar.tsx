import type { PostPeriod, PostSort, PostSettings } from '@hearth/protocol';
import type { ListChoice } from '../post-source.ts';
import { CardsIcon, LinesIcon } from '../icons.tsx';
import { usePostText } from '../use-post-text.ts';
import { PERIODS, SORTS, type KeptLook } from './kept-look.ts';

interface BarProps {
  readonly choice: ListChoice;
  readonly settings: PostSettings;
  readonly look: KeptLook;
  readonly onChoose: (choice: ListChoice) => void;
}

/** In which order posts are shown, which of them, and how. */
export function ListBar({ choice, settings, look, onChoose }: BarProps) {
  const words = usePostText();
  const { sort, since, tag } = choice;
  const hasPeriod = sort === 'top' || sort === 'controversial';
  const tags = settings.tags ?? [];
  const other = look.look === 'cards' ? 'lines' : 'cards';
  return (
    <div class="list-bar">
      <Select<PostSort>
        label={words.sort}
        value={sort}
        values={SORTS.map((each) => [each, words.sorts[each]])}
        onChange={(value) => onChoose({ sort: value, tag })}
      />
      {hasPeriod && (
        <Select<PostPeriod | 'all'>
          label={words.period}
          value={since ?? 'all'}
          values={[...PERIODS, 'all' as const].map((each) => [each, words.periods[each]])}
          onChange={(value) => onChoose({ sort, tag, since: value === 'all' ? undefined : value })}
        />
      )}
      {tags.length > 0 && (
        <Select<string>
          label={words.tag}
          value={tag ?? ''}
          values={[['', words.everyTag], ...tags.map(({ id, name }) => [id, name] as const)]}
          onChange={(value) => {
            onChoose({ ...choice, tag: tags.find(({ id }) => id === value)?.id });
          }}
        />
      )}
      <button
        type="button"
        class="icon-button list-look"
        aria-label={words.looks[other]}
        title={words.looks[other]}
        onClick={() => look.choose(other)}
      >
        {other === 'lines' ? <LinesIcon /> : <CardsIcon />}
      </button>
    </div>
  );
}

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly values: readonly (readonly [Value, string])[];
  readonly onChange: (value: Value) => void;
}

export function Select<Value extends string>({
  label,
  value,
  values,
  onChange,
}: SelectProps<Value>) {
  return (
    <select
      class="post-select"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => {
        const found = values.find(([each]) => each === currentTarget.value);
        if (found !== undefined) onChange(found[0]);
      }}
    >
      {values.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </select>
  );
}
