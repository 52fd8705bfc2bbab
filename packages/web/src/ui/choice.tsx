import { useId } from 'preact/hooks';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  /** It gets the focus. */
  readonly isFirst?: boolean;
  readonly values: readonly Value[];
  readonly names: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A choice of one value among a few. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, isFirst = false, values, names, value, onChange } = props;
  const group = useId();
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class="choice-values">
        {values.map((each) => (
          <label key={each} class="choice-value">
            <input
              type="radio"
              name={group}
              value={each}
              checked={each === value}
              autofocus={isFirst && each === value}
              onChange={() => onChange(each)}
            />
            <span>{names[each]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
